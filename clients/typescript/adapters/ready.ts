import { within } from '../src/uptake'

/** Milliseconds that an updater waits at most for what is measured at a start. */
const LIMIT = 1000

/**
 * Tells an updater that the app is ready once `begun` has come to an end, however it does, or takes too long, as with a store that hangs:
 * the updater takes a good update back that it hears nothing of.
 */
export async function readyAfter(begun: Promise<unknown>, tell: () => Promise<unknown>): Promise<void> {
  await within(LIMIT, begun.catch(() => {}), undefined)
  await tell()
}
