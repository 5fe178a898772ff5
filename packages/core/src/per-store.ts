import type { Auth } from "./model/auth.js"

/**
 * What this process remembers beside a store, and without one beside the compiled configuration: a configuration may be
 * made anew for each request, its adapter mostly is not.
 */
export function perStore<T>(make: (auth: Auth) => T): (auth: Auth) => T {
  const made = new WeakMap<object, T>()
  return (auth) => {
    const store = auth.config.adapter ?? auth
    const known = made.get(store) ?? make(auth)
    made.set(store, known)
    return known
  }
}
