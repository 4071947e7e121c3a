import fs from 'node:fs';
import { LIST, sentences, written } from './texts.ts';

/** npm run check -- --texts: writes the list of all texts for people, which a translation is made of. */
fs.writeFileSync(LIST, written(sentences()));
