"use strict";
// `@capacitor/preferences` (Capacitor 5 to 8) as the store of keys and values that `keyValue` takes.
Object.defineProperty(exports, "__esModule", { value: true });
exports.preferences = void 0;
function preferences(store) {
    return {
        getItem: async (key) => (await store.get({ key })).value,
        setItem: (key, value) => store.set({ key, value }),
        removeItem: (key) => store.remove({ key }),
        getAllKeys: async () => (await store.keys()).keys
    };
}
exports.preferences = preferences;
