import type { KeyValue } from '../src/keyValue';
export declare function preferences(store: {
    get(option: {
        key: string;
    }): Promise<{
        value: string | null;
    }>;
    set(option: {
        key: string;
        value: string;
    }): Promise<void>;
    remove(option: {
        key: string;
    }): Promise<void>;
    keys(): Promise<{
        keys: string[];
    }>;
}): KeyValue;
