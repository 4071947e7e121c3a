/** Reasons for cancelling an IRN, by the invoice portal's codes (irp-api.md). */
export const irnReasons = [
  ['1', 'Duplicate'],
  ['2', 'Data entry mistake'],
  ['3', 'Order cancelled'],
  ['4', 'Others'],
] as const;

/** How goods travel, by the e-way bill portal's codes. */
export const transportModes = [
  ['1', 'Road'],
  ['2', 'Rail'],
  ['3', 'Air'],
  ['4', 'Ship'],
] as const;

/** Reasons for cancelling an e-way bill: 2 and 3 are the other way round than for an IRN. */
export const wayCancelReasons = [
  ['1', 'Duplicate'],
  ['2', 'Order cancelled'],
  ['3', 'Data entry mistake'],
  ['4', 'Others'],
] as const;

/** Why another vehicle takes the goods on. */
export const vehicleReasons = [
  ['1', 'Breakdown'],
  ['2', 'Transshipment'],
  ['3', 'Others'],
  ['4', 'First time'],
] as const;

/** As what goods travel, by the e-way bill portal's codes (subSupplyType); some only between two places of one registration. */
export const subSupplies = [
  ['1', 'Supply'],
  ['2', 'Import'],
  ['3', 'Export'],
  ['4', 'Job work'],
  ['5', 'For own use', 'self'],
  ['7', 'Sales return'],
  ['8', 'Others'],
  ['9', 'SKD, CKD or lots'],
  ['10', 'Line sales', 'self'],
  ['11', 'Recipient not known', 'self'],
  ['12', 'Exhibition or fair', 'self'],
] as const;
export type SubSupply = (typeof subSupplies)[number][0];
