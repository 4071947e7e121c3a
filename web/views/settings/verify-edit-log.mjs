// Verifies an edit log exported from Bahi. It needs nothing but Node, version 18 or newer:
//
//   node verify-edit-log.mjs edit-log.ndjson [sequence:seal]
//
// Every row is sealed: seal = SHA-256(the seal before it, then SHA-256(text of the row, then SHA-256(text of the document
// that it posted))). So no row can be changed, left out or put in without every later seal being another. The last seal
// stands on the screen of the product; a seal that was noted at any time before is given as the second argument, and the
// log must still hold it.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

const sha256 = (...parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const fail = (message) => {
  console.error(`NOT GENUINE: ${message}`);
  process.exit(1);
};

const [file, noted] = process.argv.slice(2);
if (!file) {
  console.error('usage: node verify-edit-log.mjs edit-log.ndjson [sequence:seal]');
  process.exit(2);
}

let head;
let seal;
let sequence = 0;
let rows = 0;
let end;
let isNotedThere = noted === undefined;
const holds = () => `${sequence}:${seal.toString('hex')}` === noted;

for await (const line of createInterface({
  input: createReadStream(file, 'utf8'),
  crlfDelay: Number.POSITIVE_INFINITY,
})) {
  let row;
  try {
    row = JSON.parse(line);
  } catch {
    fail(`the line after row ${sequence} cannot be read`);
  }
  if (!head) {
    if (row.format !== 'bahi-edit-log-1') fail('this file is no exported edit log');
    head = row;
    seal = Buffer.from(row.previous, 'hex');
    sequence = row.after;
    if (sequence > 0 && holds()) isNotedThere = true;
    continue;
  }
  if (end) fail('there is something behind the end');
  if (row.end !== undefined) {
    end = row;
    continue;
  }
  if (row.sequence !== sequence + 1) fail(`row ${sequence + 1} is missing`);
  const document = row.document === null ? Buffer.alloc(0) : sha256(row.document);
  const next = sha256(seal, sha256(row.log, document));
  if (next.toString('hex') !== row.seal) fail(`row ${row.sequence}, or the document it posted, was changed`);
  // a row about documents without its document would hide what was posted
  if (JSON.parse(row.log)[7] === 'documents' && row.document === null) fail(`row ${row.sequence} lacks its document`);
  seal = next;
  ({ sequence } = row);
  rows += 1;
  if (!isNotedThere) isNotedThere = holds();
}

if (!head || !end) fail('the file ends before its end');
if (end.end !== sequence || end.seal !== seal.toString('hex')) fail('rows are missing at the end');
if (!isNotedThere) fail(`it does not hold the noted seal ${noted}`);
console.log(`Genuine: ${rows} rows of ${head.organisation}, from ${head.after + 1} to ${sequence}.`);
console.log(`Last seal ${sequence}:${seal.toString('hex')}`);
