export { foundAnother, foundFirst, readFirst } from './first.ts';
export { guideHandlers } from './guide.ts';
export { type FirstSeries, firstSeries, markFor } from './series.ts';
export { holdSeries, type SeriesOfTill, seriesOfTill } from './till-series.ts';
export { upgrade } from './upgrade.ts';
