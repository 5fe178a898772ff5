/** Runs work while it holds all of these names. Work with other names isn't delayed. */
export type Lock = <T>(names: readonly string[], work: () => Promise<T>) => Promise<T>

/** Adapters over one storage share their locks, so that each of them sees what the others write. */
const locks = new WeakMap<object, Lock>()

export function lockOf(storage: object): Lock {
  const lock = locks.get(storage) ?? createLock()
  locks.set(storage, lock)
  return lock
}

function createLock(): Lock {
  const last = new Map<string, Promise<void>>()

  async function holdOne<T>(name: string, work: () => Promise<T>): Promise<T> {
    const earlier = last.get(name)
    const { promise, release } = signal()
    last.set(name, promise)
    await earlier
    try {
      return await work()
    } finally {
      if (last.get(name) === promise) last.delete(name)
      release()
    }
  }

  return (names, work) => {
    // Everyone takes several names in the same order, so two calls can't wait for each other.
    const ordered = [...new Set(names)].toSorted()
    return ordered.reduceRight<typeof work>((inner, name) => () => holdOne(name, inner), work)()
  }
}

function signal(): { readonly promise: Promise<void>; readonly release: () => void } {
  let release: () => void = () => undefined
  const promise = new Promise<void>((resolve) => {
    release = resolve
  })
  return { promise, release }
}
