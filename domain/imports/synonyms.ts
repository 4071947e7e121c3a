/**
 * Headings of other programs for the fields of our forms, as Tally, Zoho Books, Vyapar, Busy and people's own sheets write
 * them. A field is named by its key, or by `master.key` where two masters have another word for it.
 */
export const headingSynonyms: Readonly<Record<string, readonly string[]>> = {
  'customer.name': ['Party Name', 'Party', 'Customer', 'Customer Name', 'Display Name', 'Company Name', 'Ledger Name'],
  'consumer.name': ['Party Name', 'Party', 'Customer', 'Customer Name', 'Display Name'],
  'supplier.name': [
    ...['Party Name', 'Party', 'Supplier', 'Supplier Name', 'Vendor', 'Vendor Name'],
    ...['Display Name', 'Company Name', 'Ledger Name'],
  ],
  'customer.code': ['Customer Code', 'Party Code', 'Customer Number', 'Customer ID', 'Alias'],
  'consumer.code': ['Customer Code', 'Party Code', 'Customer ID'],
  'supplier.code': ['Supplier Code', 'Vendor Code', 'Vendor Number', 'Party Code', 'Supplier ID', 'Alias'],
  'item.name': ['Item', 'Item Name', 'Product', 'Product Name', 'Stock Item', 'Particulars', 'Name of Item'],
  'item.sku': ['Item Code', 'Product Code', 'Code', 'Part No', 'Part Number', 'Article No', 'Stock Code'],
  'item.type': ['Item Type', 'Product Type', 'Type of Supply', 'Goods or Service'],
  'item.category': ['Item Category', 'Category Name', 'Stock Group', 'Group', 'Item Group'],
  'ledger.name': ['Ledger', 'Ledger Name', 'Account', 'Account Name'],
  'ledger.code': ['Account Code', 'Ledger Code'],
  'ledger.group': ['Under', 'Group Name', 'Account Group', 'Parent', 'Parent Group', 'Account Type'],
  'accountGroup.parent': ['Parent', 'Parent Group'],
  'category.parent': ['Parent', 'Parent Category'],
  'unit.code': ['Symbol', 'Unit Symbol', 'Short Name', 'Unit'],
  'unit.name': ['Formal Name', 'Full Name', 'Unit Name'],
  'unit.decimals': ['Number of Decimal Places', 'Decimal Places'],
  tradeName: ['Mailing Name', 'Alias Name', 'Business Name'],
  gstin: [
    ...['GSTIN/UIN', 'GST Number', 'GST No', 'GSTIN No', 'GSTIN Number', 'GST IN', 'GST Identification Number (GSTIN)'],
    ...['Party GSTIN', 'GST Registration Number', 'Tax Number'],
  ],
  category: ['GST Treatment', 'Registration Type', 'GST Registration Type', 'GST Type'],
  pan: ['PAN No', 'PAN Number', 'PAN/IT No', 'Income Tax Number'],
  state: ['State Name', 'Place of Supply', 'State Code', 'Place of Contact (With State Code)'],
  country: ['Country Code'],
  currency: ['Currency Code'],
  creditLimit: ['Credit Limit Amount', 'Credit Limit Rs'],
  creditDays: ['Credit Period', 'Payment Terms Days', 'Due Days', 'Default Credit Period'],
  phone: [
    ...[
      'Mobile',
      'Mobile No',
      'Mobile Number',
      'Phone No',
      'Phone Number',
      'Phone No.',
      'Contact No',
      'Contact Number',
    ],
    'Mobile Phone',
  ],
  email: ['E-mail ID', 'Email ID', 'Email Address', 'Mail ID'],
  udyam: ['Udyam', 'MSME No', 'MSME Number', 'Udyam Registration Number'],
  microSmall: ['MSME', 'Micro or Small Enterprise', 'Is MSME'],
  hsn: ['HSN', 'SAC', 'HSN Code', 'HSN/SAC Code', 'HSN Number', 'HSN Code / SAC Code'],
  gstRate: [
    ...['GST', 'GST Rate', 'Tax Rate', 'Tax %', 'IGST', 'IGST Rate', 'IGST %', 'GST Percentage', 'Integrated Tax Rate'],
    ...['Tax Percentage', 'Inter State Tax Rate', 'Rate of Tax'],
  ],
  cessRate: ['Cess', 'Cess Rate'],
  treatment: ['Taxability', 'Taxability Type', 'Taxable', 'Tax Preference'],
  unit: ['UOM', 'Units', 'Base Unit', 'Unit of Measurement', 'Usage Unit', 'Unit Name'],
  saleRate: [
    ...['Sale Price', 'Selling Price', 'Sales Price', 'Selling Rate', 'Sales Rate', 'Standard Price', 'Unit Price'],
    ...['Rate', 'Price'],
  ],
  purchaseRate: ['Purchase Price', 'Cost Price', 'Buying Price', 'Purchase Cost', 'Standard Cost', 'Cost'],
  mrp: ['Maximum Retail Price', 'M.R.P', 'M.R.P.', 'MRP Rate'],
  barcode: ['Bar Code', 'EAN', 'UPC', 'Barcode No'],
  reorderLevel: [
    'Reorder Point',
    'Minimum Stock',
    'Min Stock',
    'Minimum Stock Quantity',
    'Low Stock Alert',
    'Re-order Level',
  ],
  description: ['Item Description', 'Sales Description', 'Details'],
  incomeLedger: ['Sales Account', 'Income Account', 'Sales Ledger'],
  expenseLedger: ['Purchase Account', 'Expense Account', 'Purchase Ledger'],
  ifsc: ['IFSC Code', 'IFS Code'],
  accountNumber: ['Account No', 'A/c No', 'Bank Account Number'],
  pincode: ['PIN', 'Pincode', 'Pin Code', 'Postal Code', 'Zip', 'Zip Code'],
};

/** Words for the columns of an address, after `Billing`, `Shipping` or nothing. */
export const addressSynonyms: Readonly<Record<string, readonly string[]>> = {
  line1: ['Address', 'Street', 'Street 1', 'Street1', 'Address 1', 'Address1', 'Address line 1'],
  line2: ['Street 2', 'Street2', 'Address 2', 'Address2', 'Address line 2', 'Area', 'Locality'],
  city: ['City', 'Town', 'District', 'City/Town'],
  state: ['State', 'State Name'],
  pincode: ['PIN', 'Pincode', 'PIN code', 'Postal Code', 'Zip', 'Zip Code', 'Code'],
  country: ['Country'],
};

/** Other words for a choice, by its value. */
export const choiceSynonyms: Readonly<Record<string, readonly string[]>> = {
  stock: ['Product', 'Inventory', 'Stock', 'Stock item', 'Inventory Items', 'Goods'],
  nonStock: ['Non inventory', 'Non stock', 'Not stocked'],
  service: ['Services'],
  registered: ['Registered', 'Regular', 'Registered Business - Regular', 'business_gst'],
  composition: ['Composition', 'Composite', 'Registered Business - Composition'],
  unregistered: ['Unregistered', 'Consumer', 'Unregistered/Consumer', 'business_none', 'URD', 'Unregistered Business'],
  overseas: ['Foreign', 'Export', 'Import'],
  sezUnit: ['SEZ'],
  nil: ['Nil', 'Nil-rated', 'Zero'],
  exempt: ['Exempted', 'Tax exempt', 'Non-Taxable'],
  nonGst: ['Non GST', 'Out of scope', 'Non-GST supply'],
};
