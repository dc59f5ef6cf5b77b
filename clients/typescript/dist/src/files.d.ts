import type { Storage } from './uptake';
export declare function files(folder: string): Storage;
