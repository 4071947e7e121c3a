// Verifies an edit log exported from Bahi. It needs nothing but Node, version 18 or newer:
//
//   node verify-edit-log.mjs edit-log.ndjson [sequence:seal] [--checkpoints=organisation-1.ndjson --key=public-key.pem]
//
// Every row is sealed: seal = SHA-256(the seal before it, then SHA-256(text of the row, then SHA-256(text of the document
// that it posted))). So no row can be changed, left out or put in without every later seal being another. The last seal
// stands on the screen of the product; a seal that was noted at any time before is given as the second argument, and the
// log must still hold it.
//
// Once a day the newest seal is signed (Ed25519) and kept in a folder outside the database; the export holds these
// checkpoints too. Given from that folder, or from a copy of it, they prove that the whole chain was not made anew.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
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

const words = process.argv.slice(2);
const option = (name) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const [file, noted] = words.filter((word) => !word.startsWith('--'));
if (!file) {
  console.error(
    'usage: node verify-edit-log.mjs edit-log.ndjson [sequence:seal] [--checkpoints=organisation-1.ndjson --key=public-key.pem]',
  );
  process.exit(2);
}

let organisation;
let fingerprint;
let checkpoints = 0;
/** What was signed, by the sequence it was signed at. */
const signed = new Map();
/** Takes checkpoints in their order: each is signed, and names the signature before it. */
const takeCheckpoints = (lines, pem) => {
  const key = createPublicKey(pem);
  fingerprint = sha256(key.export({ type: 'spki', format: 'der' })).toString('hex');
  let previous = '';
  for (const line of lines) {
    let point;
    try {
      point = JSON.parse(line);
    } catch {
      fail('a checkpoint cannot be read');
    }
    if (!verify(null, Buffer.from(point.text), key, Buffer.from(point.signature, 'base64')))
      fail('a checkpoint is not signed with this key');
    const [of, day, at, seal, before] = JSON.parse(point.text);
    if (before !== previous) fail(`the checkpoint of ${day} does not follow the one before it`);
    organisation ??= of;
    if (organisation !== of) fail(`the checkpoint of ${day} is of another organisation`);
    previous = point.signature;
    signed.set(at, { day, seal });
  }
};
const given = option('checkpoints');
if (given) {
  const key = option('key');
  if (!key) fail('--checkpoints needs --key: the public key in their folder');
  takeCheckpoints(readFileSync(given, 'utf8').split('\n').slice(0, -1), readFileSync(key));
}

let head;
let seal;
let sequence = 0;
let rows = 0;
let end;
let isNotedThere = noted === undefined;
/** The last row that was signed, and since when the rows behind it stand there. */
let proven;
let unsignedSince;
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
  if (row.publicKey !== undefined) {
    // what was given from outside counts, not what came along
    if (!given) takeCheckpoints(row.lines, row.publicKey);
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
  const [of] = JSON.parse(row.log);
  organisation ??= of;
  if (organisation !== of) fail(`row ${row.sequence} is of another organisation`);
  const point = signed.get(row.sequence);
  if (point && point.seal !== row.seal)
    fail(`row ${row.sequence} is not what was signed on ${point.day}: the chain was made anew`);
  if (point) {
    checkpoints += 1;
    proven = { row: row.sequence, day: point.day };
    unsignedSince = undefined;
  } else unsignedSince ??= JSON.parse(row.log)[2];
  // a row about documents without its document would hide what was posted
  if (JSON.parse(row.log)[7] === 'documents' && row.document === null) fail(`row ${row.sequence} lacks its document`);
  seal = next;
  ({ sequence } = row);
  rows += 1;
  if (!isNotedThere) isNotedThere = holds();
}

if (!head || !end) fail('the file ends before its end');
if (end.end !== sequence || end.seal !== seal.toString('hex')) fail('rows are missing at the end');
for (const [at, { day }] of signed) if (at > sequence) fail(`it ends before row ${at}, which was signed on ${day}`);
if (!isNotedThere) fail(`it does not hold the noted seal ${noted}`);
console.log(`Genuine: ${rows} rows of ${head.organisation}, from ${head.after + 1} to ${sequence}.`);
console.log(`Last seal ${sequence}:${seal.toString('hex')}`);
if (proven) console.log(`Proven up to row ${proven.row}, signed on ${proven.day}.`);
if (unsignedSince !== undefined)
  console.log(
    `Rows ${(proven?.row ?? head.after) + 1} to ${sequence}, since ${unsignedSince}, are chained and not signed yet: whoever holds the database could make them anew.`,
  );
if (fingerprint)
  console.log(`Holds ${checkpoints} signed checkpoints. Key ${fingerprint}: compare it with the one you noted.`);
