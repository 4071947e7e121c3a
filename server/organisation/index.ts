export { type FirstSeries, firstSeries, markFor } from './series.ts';
