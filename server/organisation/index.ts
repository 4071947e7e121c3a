export { foundAnother, foundFirst, readFirst } from './first.ts';
export { upgrade } from './new-screens.ts';
export { type FirstSeries, firstSeries, markFor } from './series.ts';
export { holdSeries, type SeriesOfTill, seriesOfTill } from './till-series.ts';
