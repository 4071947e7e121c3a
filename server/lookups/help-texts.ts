import type { ScreenName } from '../../contract/screens.ts';

/** Questions and answers by the group of a screen; a screen without its own shows its group's. */
export const groupHelp: Readonly<Record<string, readonly (readonly [question: string, answer: string])[]>> = {
  Home: [
    [
      'Where do I begin?',
      'With First steps: each step opens its form, is marked as done once the books have it, and can be skipped. The cards ' +
        'below show what was sold, ordered and kept in the chosen period.',
    ],
    [
      'Where is an entry that the menu does not show?',
      'Under More of its group, or at the end of the areas; the pin keeps it in your menu. Ctrl K finds every screen. The menu ' +
        'shows what your kind of business needs and what you have documents of; the profile of the organisation says which ' +
        'kind it is.',
    ],
    ['Which period is a year?', 'The financial year, from April to March.'],
  ],
  Sales: [
    [
      'Can I enter an invoice without the mouse?',
      'Yes. Enter goes to the next field, on the last cell of a line it adds a line. Ctrl S keeps the draft, Ctrl Enter posts it.',
    ],
    ['When does an invoice get its number?', 'When it is posted. Drafts have none, so no number is ever lost.'],
    [
      'How do I correct a posted invoice?',
      'Posted documents do not change. Cancel it and copy it, or issue a credit or debit note.',
    ],
    [
      'Why are there two taxes, or one?',
      'Within a state CGST and SGST, each from half the rate; between states IGST. The place of supply decides.',
    ],
  ],
  Purchases: [
    ['What is the reference of a bill?', "The number on the supplier's invoice."],
    [
      'What does reverse charge do?',
      'The supplier charges no tax; you owe it to the government and may claim it as credit.',
    ],
    ['What happens to tax I cannot claim?', 'Mark the line as blocked: the tax becomes part of the cost.'],
  ],
  Expenses: [['Do I need a supplier?', 'No. Choose from where it was paid, or a supplier when you pay later.']],
  Inventory: [
    [
      'Can stock become negative?',
      'Only when General configuration allows it. Otherwise a movement is refused if stock would be short on any day, also later ones.',
    ],
    ['How is stock valued?', 'By moving average or first in first out, as chosen before the first movement.'],
  ],
  Accounts: [
    [
      'Where do the entries of an invoice go?',
      'To the ledgers set under Ledger postings. Every document shows its own entries.',
    ],
    [
      'What is the opening balance difference?',
      'What your opening balances lack to balance. It must be nothing before the first year is closed.',
    ],
  ],
  Reports: [
    [
      'Can I get from a figure to its documents?',
      'Yes: choose a row. A ledger leads to its entries, an entry to its document.',
    ],
    ['Can I take a report with me?', 'Every report can be exported as XLSX, CSV or PDF.'],
  ],
  GST: [
    [
      'What is in GSTR-1?',
      'All outward supplies of the period, table by table. Cancelled documents are only counted. Once the return ' +
        'is marked as filed, the page and its file show it as it was stored then.',
    ],
    [
      'How do I file quarterly?',
      'The registration says from which quarter on. The return then goes by the last month of the quarter; for ' +
        'the other two months the same screen draws an IFF. Mark an IFF once it is furnished, so that the quarter ' +
        'leaves out what it held.',
    ],
  ],
  Parties: [
    ['Do I type state and PAN?', 'With a GSTIN both follow from it.'],
    ['Why was my GSTIN refused?', 'Its last character is a check digit; most often two characters are swapped.'],
  ],
  Items: [['Which HSN do I enter?', 'Four digits up to five crore turnover, six above, eight for exports.']],
  Organisation: [
    [
      'Who may grant rights?',
      'Users with Create and edit, or Full, on Roles; nobody gives or takes away a level above their own, and the ' +
        'last person with full rights on everything stays.',
    ],
  ],
  Orders: [
    [
      'What is a stage?',
      'The step of your workflow that an order has reached. The roles of each action say who may move it on.',
    ],
    [
      'Why can nothing be made from this order?',
      'Its stage does not allow it yet. The bar above the order says for whom it waits and what is missing; money ' +
        'in advance may be received at any stage.',
    ],
  ],
  Configuration: [
    ['Why can a switch not be changed?', 'Because documents exist that depend on it; the reason is shown next to it.'],
    [
      'Charge or adjustment?',
      'What the buyer pays for the supply, as freight, is a charge and taxed. Deposits and donations are ' +
        'adjustments: they come after tax, each on its own ledger.',
    ],
  ],
};

/** What is asked about one screen, and those under it, before what is asked about its group. */
export const screenHelp: Readonly<
  Partial<Record<ScreenName, readonly (readonly [question: string, answer: string])[]>>
> = {
  Registration: [
    [
      'Why can the GSTIN not be changed any more?',
      'Documents are posted under it (rule 46). Another GSTIN is another registration.',
    ],
    ['May there be two registrations in one state?', 'Yes, each with its own locations and number series.'],
  ],
  'Manage Locations': [
    [
      'What is the difference between a tax and a physical location?',
      'A tax location belongs to a GSTIN and is printed on invoices; a physical location holds stock. One place can be both.',
    ],
    [
      'Who sees what of a location?',
      'A user with chosen locations sees and posts only there; a user without any sees all.',
    ],
  ],
  'Users List': [
    [
      'How does a new user sign in?',
      'Save the user, then make a sign-in link, or have it mailed. It is used once and sets the password.',
    ],
    [
      'Somebody has left: what do I do?',
      'Deactivate the user. They are signed out within five seconds; their name stays on their entries.',
    ],
    [
      'Why can a user not open a screen?',
      'Choose the screen at the foot of the user’s form: it names the role that decides, and what blocks it.',
    ],
  ],
  GroupsList: [
    ['What is a group for?', 'Its members have its roles in addition to their own: a desk gets a right once.'],
  ],
  'Manage Role': [
    [
      'What do the levels mean?',
      'View reads. Create and edit also writes. Approve also cancels and approves, but does not write. Full does ' +
        'all. Of several roles each counts: a person may do what any of them allows.',
    ],
  ],
  import: [
    [
      'What can I import?',
      'The masters of your books, from CSV, XLSX or pasted cells. A template has the columns of a master and an example.',
    ],
  ],
  'Data Import': [
    [
      'What does an import leave behind?',
      'Its rows with what became of each, a file of refused rows, and a way to undo it.',
    ],
  ],
  FileImport: [
    [
      'Can I import the same file again?',
      'Yes. Records that are equal stay as they are, so that only new rows are added.',
    ],
  ],
  FileImportNew: [
    [
      'How does an import work?',
      'Choose a file, check the columns, look at the rows with problems and correct them here, then import. Nothing is ' +
        'written before the last step.',
    ],
  ],
  ClientUsers: [['Where do I see who signed in?', 'In the security log, next to this list, if you may give rights.']],
  subscriptions: [
    [
      'What happens after the last day?',
      'Accounts, invoices, GST and stock go on. What is kept of a module that has ended can be read and no longer changed.',
    ],
    [
      'How long does a request take?',
      'It goes to finance, then to the operator of the installation; you get a notification of each step.',
    ],
  ],
  'My Organisations': [
    [
      'Which organisations are listed?',
      'All in which you are a user, each with what your rights there show. A click on a name or a figure goes over to it.',
    ],
    [
      'When is a return overdue?',
      'When its day has passed and it is not marked as filed in General configuration › Additional. Returns from before the first ' +
        'documents of the books are not listed.',
    ],
  ],
  'First Steps': [
    [
      'When is a step done?',
      'Once the books have what it is about: a bank account, a customer, an opening stock, an invoice. Only printing leaves no ' +
        'trace there: that step is done once it was opened.',
    ],
    [
      'For whom is a step skipped?',
      'For the whole organisation, by whoever may change its profile. It can be taken up again here, which the settings menu opens.',
    ],
  ],
  Orgedit: [
    [
      'What is the business type for?',
      'The menu shows what this kind of business needs and what there are documents of; the rest is under More. Nothing else ' +
        'changes by it later.',
    ],
    [
      'Which pictures can be a logo?',
      'PNG, JPEG or WebP. It is scaled to at most 640 × 256; the rest of the file is not kept.',
    ],
    [
      'How do I prove that nothing was changed behind me?',
      'Export the edit log and download the verifier: it runs on your own machine and checks every link of the chain.',
    ],
  ],
  'General Configuration': [
    [
      'How do orders get stages?',
      'Switch them on here, write a workflow under Workflow management, from a template if you like, and publish ' +
        'it. Orders posted from then on follow it.',
    ],
    ['A workflow has changed: what becomes of orders under way?', 'They stay on the version they began with.'],
    [
      'Why is a switch grey?',
      'The reason is shown next to it: something depends on it, or it needs a module of the subscription.',
    ],
    [
      'How do I lock a year?',
      'Under Additional Config, for the whole books or one register. Opening days again needs a reason, which is kept.',
    ],
  ],
  'Number Series': [
    [
      'Which patterns may a series have?',
      'At most 16 characters; the first is a letter or 1 to 9; then letters, digits, - and / (rule 46). {FY} ' +
        '{FY2} {MM} {YY} {LOC} {CH} are filled in; the next numbers are shown while you type.',
    ],
    ['Is a number missing?', 'Open the series: it lists what it has given, period by period, and every gap.'],
  ],
  'NIC Configuration': [
    [
      'Who can read the password that I enter?',
      'Nobody. It is kept encrypted for your organisation and is never shown again; leave it empty to keep it.',
    ],
    ['How do I know that it works?', 'Test sign-in asks the portal at once and says what it answered.'],
  ],
  'Additional Field': [
    [
      'Where does a field show?',
      'On the forms of what you choose, and if you like in lists and on the printed document.',
    ],
    ['Can its type be changed later?', 'No: values may be kept already. Deactivate it and add another.'],
  ],
  invoicebuilder: [
    ['Why can a column not be left out?', 'Rule 46 requires it: every tax invoice shows HSN, taxable value and tax.'],
  ],
  'Terms and Conditions': [
    [
      'Where do terms appear?',
      'At the foot of a document of that kind: the default ones by themselves, others when they are chosen.',
    ],
  ],
  'Bank Details': [['Which account is printed on an invoice?', 'The default one.']],
  Units: [['What is the UQC?', 'The unit code of the GST portal. It is reported instead of your own code.']],
  'Party Master': [
    [
      'The same customer is there twice: what now?',
      'Open one of them and choose Merge: dues, drafts and addresses come to the one that stays.',
    ],
    ['What does the credit limit do?', 'A sale that would exceed it is refused. Empty means no limit.'],
  ],
  'Supplier Master': [
    [
      'Why mark a supplier as micro or small?',
      'Section 43B(h) and the MSMED Act: what is unpaid after 45 days is shown in the report of payables.',
    ],
  ],
  'Supply Master': [
    [
      'How do I get sizes and colours?',
      'Switch on Variants, choose up to three attributes on the item and save: then tick the combinations that you have.',
    ],
    ['Why can the unit not be changed?', 'Its stock has moved in this unit. Add another item, or a conversion.'],
  ],
  Attributes: [['What is an attribute for?', 'Its values make the variants of an item: size with S, M and L.']],
  'Unit Conversions': [['Which conversion counts?', 'That of the item, else the one for all items.']],
  WarehouseMaster: [
    ['Does a stock room have its own cost?', 'No. Rooms divide quantity; cost is kept for the item and the location.'],
  ],
  'Manage Inventory': [
    ['Where do I see one item quickly?', 'Location Stock Levels in the menu opens next to any screen.'],
  ],
};
