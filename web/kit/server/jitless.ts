import { config } from 'zod';

// The page's policy forbids code made at run time; zod must know before the first schema is built.
config({ jitless: true });
