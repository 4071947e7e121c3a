import type { Paper } from '../paper/index.ts';

/** The labels of our papers in Arabic, by how they begin: what follows (a currency, a rate) is the same in both. */
const words: readonly (readonly [starts: string, arabic: string])[] = [
  ['Tax invoice', 'فاتورة ضريبية'],
  ['Bill of supply', 'فاتورة توريد'],
  ['Credit note', 'إشعار دائن'],
  ['Debit note', 'إشعار مدين'],
  ['Original for recipient', 'الأصل للمستلم'],
  ['Duplicate for transporter', 'نسخة للناقل'],
  ['Triplicate for supplier', 'نسخة للمورد'],
  ['Extra copy', 'نسخة إضافية'],
  ['Number', 'الرقم'],
  ['Date', 'التاريخ'],
  ['Due', 'تاريخ الاستحقاق'],
  ['Reference', 'المرجع'],
  ['Against', 'مقابل'],
  ['Reason', 'السبب'],
  ['Place of supply', 'مكان التوريد'],
  ['Reverse charge', 'الاحتساب العكسي'],
  ['VAT number, seller', 'الرقم الضريبي للبائع'],
  ['VAT number, buyer', 'الرقم الضريبي للمشتري'],
  ['Currency', 'العملة'],
  ['Exchange rate', 'سعر الصرف'],
  ['From', 'من'],
  ['To', 'إلى'],
  ['Delivered to', 'التسليم إلى'],
  ['Bank', 'البنك'],
  ['Description', 'الوصف'],
  ['HSN/SAC', 'رمز السلعة'],
  ['Qty', 'الكمية'],
  ['Unit', 'الوحدة'],
  ['Rate', 'السعر'],
  ['Discount', 'الخصم'],
  ['GST %', 'ضريبة الهند %'],
  ['Taxable', 'القيمة الخاضعة'],
  ['Taxable value', 'القيمة الخاضعة للضريبة'],
  ['Value', 'القيمة'],
  ['IGST', 'الضريبة المتكاملة'],
  ['Cess', 'الرسم الإضافي'],
  ['Round off', 'التقريب'],
  ['Total', 'المجموع'],
  ['VAT', 'ضريبة القيمة المضافة'],
  ['To pay', 'المبلغ المستحق'],
  [
    'Not a valid tax invoice: no IRN (rule 48(5) of the CGST Rules)',
    'ليست فاتورة ضريبية صالحة: لم يصدر رقم مرجع الفاتورة',
  ],
  ['Trial: the portals of this installation are stand-ins. This paper is not valid.', 'تجريبي: هذه الورقة غير صالحة'],
  ['VAT in Saudi Arabia', 'ضريبة القيمة المضافة في السعودية'],
  ['Amount in words', 'المبلغ كتابة'],
  ['Terms and conditions', 'الشروط والأحكام'],
  ['Authorised signatory', 'المفوض بالتوقيع'],
];
const byLength = [...words].sort(([a], [b]) => b.length - a.length);

/** A label in Arabic, with what follows its words kept; undefined where there are none for it. */
export function inArabic(label: string): string | undefined {
  const found = byLength.find(
    ([starts]) => label === starts || (label.startsWith(starts) && /^[ ,(]/.test(label.slice(starts.length))),
  );
  return found && `${found[1]}${label.slice(found[0].length)}`;
}

/**
 * The paper with its labels in Arabic beside the English ones: the tax authority of Saudi Arabia asks for Arabic
 * (article 53 of its VAT regulations).
 */
export function withArabic(paper: Paper): Paper {
  const labels = [
    paper.title,
    paper.copy ?? '',
    ...paper.notices,
    paper.seller.heading,
    ...paper.facts.map((f) => f.label),
    ...paper.parties.map((p) => p.heading),
    ...(paper.table?.columns ?? []).map((c) => c.label),
    ...(paper.taxes?.columns ?? []).map((c) => c.label),
    ...paper.sums.map((s) => s.label),
    paper.bank?.heading ?? '',
    paper.code?.says ?? '',
    paper.style?.signatory ?? '',
    'Amount in words',
    'Terms and conditions',
  ];
  return {
    ...paper,
    also: Object.fromEntries(
      labels.flatMap((label) => {
        const arabic = inArabic(label);
        return arabic === undefined ? [] : [[label, arabic]];
      }),
    ),
  };
}
