import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const web = path.resolve(import.meta.dirname, '../web');
const files = fs.readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));

interface Rule {
  readonly selector: string;
  readonly property: string;
  /** Only where a screen is so: the words of the at-rule around it. */
  readonly when: string;
}

/** The rules of a sheet in their order, one for each selector and property. */
function rulesOf(sheet: string): readonly Rule[] {
  const rules: Rule[] = [];
  const around: string[] = [];
  let words = '';
  for (const letter of sheet.replace(/\/\*[\s\S]*?\*\//g, '')) {
    if (letter === '{') {
      around.push(words.trim());
      words = '';
    } else if (letter === '}' || letter === ';') {
      const [property = ''] = words.split(':');
      const own = around.at(-1) ?? '';
      if (words.includes(':') && !own.startsWith('@'))
        for (const selector of own.split(/,(?![^(]*\))/))
          rules.push({
            selector: selector.trim().replace(/\s+/g, ' '),
            property: property.trim(),
            when: around.filter((each) => each.startsWith('@media')).join(' '),
          });
      words = '';
      if (letter === '}') around.pop();
    } else words += letter;
  }
  return rules;
}

test('rules for phones come after general ones: of two rules the later one counts', () => {
  const lost = files.flatMap((file) => {
    const rules = rulesOf(fs.readFileSync(path.join(web, file), 'utf8'));
    return rules.flatMap(({ selector, property, when }, at) => {
      const later = rules
        .slice(at)
        .some((rule) => rule.when === '' && rule.selector === selector && rule.property === property);
      return when.includes('max-width') && later ? [`${file}: ${selector} { ${property} }`] : [];
    });
  });
  expect(files.length).toBeGreaterThan(5);
  expect(lost).toEqual([]);
});
