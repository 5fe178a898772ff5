import { companionCookie, defineModule, type Module } from "@latchkey/core/module"
import type { DeviceBoundOptions } from "./options.js"

/**
 * Device Bound Session Credentials: the browser makes a key that can't leave the device, and a session cookie without a recent proof of
 * that key signs no user in. Browsers that have no such keys stay signed in as before.
 *
 * @example
 * ```ts
 * import type { AuthConfig } from "@latchkey/core"
 * import GitHub from "@latchkey/core/providers/github"
 * import { deviceBound } from "@latchkey/device-bound"
 *
 * export const config: AuthConfig = {
 *   providers: [GitHub],
 *   modules: [deviceBound()],
 * }
 * ```
 *
 * @see https://w3c.github.io/webappsec-dbsc/
 */
export function deviceBound(options: DeviceBoundOptions = {}): Module<"device-bound"> {
  return defineModule({
    id: "device-bound",
    // Names each sign-in.
    stepUp: true,
    needsCookie: companionCookie("pass"),
    load: async () => (await import("#device-bound")).partsOf(options),
  })
}
