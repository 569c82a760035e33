// Asks the registry whether anything is known against the locked packages, prints a line, and fails where it is high or critical.
// A registry that does not answer, as mirrors do not, is no finding: then what else can be known is told.
// usage: audit.mjs, in the folder of package-lock.json
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';

const report = await npm('audit');
const counts = report.metadata?.vulnerabilities;
if (counts && counts.high + counts.critical > 0) {
  for (const { name, severity, via } of Object.values(report.vulnerabilities)) {
    const causes = via.map((cause) => (typeof cause === 'string' ? `by ${cause}` : `${cause.title} ${cause.url}`));
    console.log([`  ${severity}: ${name}`, ...causes].join('\n    '));
  }
  console.log(`FAIL vscode: npm audit finds ${counts.high + counts.critical} high or critical`);
  process.exitCode = 1;
} else if (counts) {
  console.log(`ok vscode: npm audit finds nothing high in ${report.metadata.dependencies.total} packages`);
} else {
  console.log(`-- vscode: npm audit is not answered by this registry, so advisories are not known here; ${await newest()}`);
}

/** What npm prints for a command, as data: it exits with 1 also when it found something. */
function npm(...args) {
  return new Promise((resolve, reject) => {
    execFile('npm', [...args, '--json'], { maxBuffer: 1 << 26 }, (_, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout));
      } catch {
        reject(new Error(`npm ${args.join(' ')}: ${stdout}${stderr}`));
      }
    });
  });
}

/** How old the locked packages are: an advisory mostly leads to a release that their ranges allow. */
async function newest() {
  const locked = Object.entries(JSON.parse(readFileSync('package-lock.json', 'utf8')).packages).filter(([path]) => path);
  const deprecated = locked.filter(([, { deprecated }]) => deprecated).map(([path]) => path.replace(/^.*node_modules\//, ''));
  const outdated = await npm('outdated', '--all');
  if (outdated.error) return 'nor what is newer';
  const old = Object.entries(outdated).filter(([, found]) => [found].flat().some(({ current, wanted }) => current && current !== wanted)).map(([name]) => name);
  const list = (names) => (names.length ? names.join(', ') : 'none');
  return `of ${locked.length} locked packages, older than allowed: ${list(old)}; deprecated: ${list(deprecated)}`;
}
