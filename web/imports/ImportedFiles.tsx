export { ImportedFiles } from './Imports.tsx';
