"use strict";
// Storage in a store of keys and values: AsyncStorage of React Native as it is, Preferences of Capacitor by
// `preferences` (adapters/preferences.ts).
Object.defineProperty(exports, "__esModule", { value: true });
exports.keyValue = void 0;
/** What is appended gets a key of its own, until the text is written anew. */
function keyValue(store, prefix = 'uptake') {
    const base = (name) => `${prefix}.${name}`;
    let next = 0;
    async function pieces(name) {
        const number = (key) => Number(key.slice(base(name).length + 1));
        const keys = (await store.getAllKeys()).filter((key) => key.startsWith(base(name) + '.'));
        for (const key of keys)
            next = Math.max(next, number(key) + 1);
        return keys.sort((one, other) => number(one) - number(other));
    }
    return {
        async read(name) {
            const kept = await Promise.all([base(name), ...await pieces(name)].map((key) => store.getItem(key)));
            return kept.every((piece) => piece === null) ? null : kept.join('');
        },
        async write(name, text) {
            await store.setItem(base(name), text);
            // Killed here, pieces repeat what was written: a resend, which is recognised by its ids.
            for (const key of await pieces(name))
                await store.removeItem(key);
        },
        append: (name, text) => store.setItem(`${base(name)}.${next++}`, text),
        async clear() {
            for (const name of ['state', 'queue']) {
                for (const key of [base(name), ...await pieces(name)])
                    await store.removeItem(key);
            }
        }
    };
}
exports.keyValue = keyValue;
