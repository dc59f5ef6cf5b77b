import type { Storage } from './uptake';
export declare type KeyValue = {
    getItem(key: string): Promise<string | null>;
    setItem(key: string, value: string): Promise<void>;
    removeItem(key: string): Promise<void>;
    getAllKeys(): Promise<readonly string[]>;
};
/** What is appended gets a key of its own, until the text is written anew. */
export declare function keyValue(store: KeyValue, prefix?: string): Storage;
