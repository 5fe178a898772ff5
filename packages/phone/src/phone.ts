import { records } from "#phone-records"
import { defineModule, type Module } from "@latchkey/core/module"
import type { PhoneOptions, PhoneServer } from "./options.js"

/**
 * Sign-in and sign-up with a code that is sent to a phone. It needs an adapter with records.
 *
 * @example
 * ```ts
 * import { memoryAdapter } from "@latchkey/adapter-kit"
 * import type { AuthConfig } from "@latchkey/core"
 * import { phone } from "@latchkey/phone"
 * declare function sendSms(to: string, text: string): Promise<void>
 *
 * export const config: AuthConfig = {
 *   adapter: memoryAdapter(),
 *   providers: [],
 *   modules: [phone({ send: ({ to, text }) => sendSms(to, text) })],
 * }
 * ```
 */
export function phone(options: PhoneOptions): Module<"phone", PhoneServer> {
  return defineModule<"phone", PhoneServer, typeof records>({
    id: "phone",
    records,
    members: ["numbersOf"],
    providers: [{ id: "phone", name: options.name ?? "SMS", fields: hidden }],
    load: async () => (await import("#phone")).partsOf(options),
  })
}

/** The button opens the page of the module, which is in the language of the visitor. */
const hidden = { phone: { type: "hidden" }, code: { type: "hidden" }, step: { type: "hidden" } }
