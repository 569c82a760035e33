// Writes the names of the rules, their defaults and what they find into the setting
// kls.rules of package.json, from the JSON Schema of .kls.yaml, which is generated.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const manifestFile = join(here, '../package.json');
const schema = JSON.parse(readFileSync(join(here, '../../../docs/schema/kls.json'), 'utf8'));
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
const rules = {};
for (const [name, rule] of Object.entries(schema.properties.rules.properties)) {
  // No default: VS Code would write all of them where one is changed.
  rules[name] = { enum: rule.enum, description: `${rule.description} (${rule.default})` };
}
manifest.contributes.configuration.properties['kls.rules'].properties = rules;
const text = `${JSON.stringify(manifest, null, 2)}\n`;
if (process.argv.includes('--check')) {
  if (text !== readFileSync(manifestFile, 'utf8')) {
    console.error('package.json does not have the rules of docs/schema/kls.json: npm run settings');
    process.exit(1);
  }
} else {
  writeFileSync(manifestFile, text);
}
