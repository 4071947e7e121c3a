import type { Master } from '../../../contract/masters.ts';
import type { Address } from '../../kit/navigation.tsx';

/** What the address of a record says besides its id, where the record opens as a page. */
export const pageOf = ({ page }: Pick<Master, 'page'>): Address => (page ? { show: 'page' } : {});
