export { foundFirst, readFirst } from './first.ts';
export { type FirstSeries, firstSeries, markFor } from './series.ts';
