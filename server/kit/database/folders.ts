import fs from 'node:fs';
import path from 'node:path';

/** Makes a folder with those above it. Node's own way goes round for ever where a folder can hold none, as /proc does. */
export function makeFolder(folder: string, mode?: number): void {
  if (fs.existsSync(folder)) {
    if (!fs.statSync(folder).isDirectory()) throw new Error(`${folder} is a file, and no folder`);
    return;
  }
  const above = path.dirname(folder);
  if (above !== folder) makeFolder(above, mode);
  try {
    fs.mkdirSync(folder, mode === undefined ? {} : { mode });
  } catch (error) {
    // another process has just made it
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
}
