/** Thrown by a job that shall be tried again after a while; not a bug, so nobody is woken for it. */
export class Later extends Error {}
