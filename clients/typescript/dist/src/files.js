"use strict";
// Storage in a folder, for Node and Electron: what is written is on the disk before the promise is fulfilled.
Object.defineProperty(exports, "__esModule", { value: true });
exports.files = void 0;
const promises_1 = require("node:fs/promises");
function files(folder) {
    // Made again where it was cleared, or could not be made.
    let made;
    const there = () => made ?? (made = (0, promises_1.mkdir)(folder, { recursive: true }).catch((problem) => { made = undefined; throw problem; }));
    const path = (name) => `${folder}/${name}`;
    async function put(file, flags, text) {
        const handle = await (0, promises_1.open)(file, flags);
        try {
            await handle.writeFile(text);
            await handle.sync();
        }
        finally {
            await handle.close();
        }
    }
    return {
        async read(name) {
            await there();
            return await (0, promises_1.readFile)(path(name), 'utf8').catch((problem) => {
                if (problem.code === 'ENOENT')
                    return null;
                throw problem;
            });
        },
        async write(name, text) {
            await there();
            await put(path(name) + '.new', 'w', text);
            await (0, promises_1.rename)(path(name) + '.new', path(name));
            const directory = await (0, promises_1.open)(folder, 'r');
            try {
                await directory.sync();
            }
            catch { /* Windows does not sync folders */ }
            finally {
                await directory.close();
            }
        },
        append: async (name, text) => { await there(); await put(path(name), 'a', text); },
        async clear() {
            made = undefined;
            for (const name of ['state', 'queue', 'state.new', 'queue.new'])
                await (0, promises_1.rm)(path(name), { force: true });
            await (0, promises_1.rmdir)(folder).catch(() => { });
        }
    };
}
exports.files = files;
