// What is refused in a workspace that is not trusted.
import assert from 'node:assert/strict';
import { Window } from './vscode.mjs';
void assert;
/** What is tried, in this order, in one window. */
export const scenarios = { open: (options) => Window.open({ ...options, trusted: false }), list: [] };
