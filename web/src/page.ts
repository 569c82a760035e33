// Small helpers for the elements of the page.

export function find<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element ${id}.`);
  return found as T;
}

export function element<K extends keyof HTMLElementTagNameMap>(name: K, text?: string, className?: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className !== undefined) made.className = className;
  return made;
}

/** Tabs by the pattern of the ARIA Authoring Practices: arrow keys move, and what is moved to is shown. */
export class Tabs<Name extends string> {
  selected: Name;

  constructor(private readonly names: readonly Name[], private readonly changed: () => void) {
    this.selected = names[0]!;
    for (const name of names) {
      const tab = find(`tab-${name}`);
      tab.onclick = () => this.select(name);
      tab.onkeydown = (event) => this.move(event);
    }
  }

  select(name: Name): void {
    this.selected = name;
    for (const other of this.names) {
      const tab = find(`tab-${other}`);
      tab.setAttribute('aria-selected', String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
      find(`panel-${other}`).hidden = other !== name;
    }
    this.changed();
  }

  private move(event: KeyboardEvent): void {
    const index = this.names.indexOf(this.selected);
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: this.names.length - 1 }[event.key];
    if (next === undefined) return;
    const name = this.names.at(next % this.names.length)!;
    this.select(name);
    find(`tab-${name}`).focus();
    event.preventDefault();
  }
}
