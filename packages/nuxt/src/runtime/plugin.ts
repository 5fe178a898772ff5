import type { Session } from "@latchkey/core/types"
import { createAuth } from "@latchkey/vue"
import { createError, defineNuxtPlugin, type ObjectPlugin, type Plugin, useRequestEvent, useState } from "nuxt/app"
import { contextKey, type NuxtAuthState, type PageAuth, type PageServer } from "./page.js"

/** Puts the session of the request into the payload, and gives it to the components. */
const plugin: Plugin<Provided> & ObjectPlugin<Provided> = defineNuxtPlugin<Provided>({
  name: contextKey,
  enforce: "pre",
  async setup(nuxtApp) {
    const page = useState<PageAuth | undefined>(contextKey)
    const event = useRequestEvent()
    if (event !== undefined) page.value = await pageAuthOf(event)
    const { session, basePath = "/auth", signInPage = `${basePath}/signin` } = page.value ?? {}
    // The client doesn't look inside the session, so the application can use its own type.
    const auth = createAuth({ session: session as Session | null | undefined, basePath })
    nuxtApp.vueApp.use(auth)
    return { provide: { latchkey: { client: auth.client, signInPage } } }
  },
})

interface Provided extends Record<string, unknown> {
  latchkey: NuxtAuthState
}

async function pageAuthOf(event: { readonly context: Readonly<Record<string, unknown>> }): Promise<PageAuth> {
  const server = event.context[contextKey] as PageServer | undefined
  if (server === undefined)
    throw new Error(
      "No handler of NuxtAuth has seen this request. Export it from server/middleware/auth.ts: export default auth.handler",
    )
  try {
    return await server.page(event)
  } catch {
    // Nuxt shows the message to the user. The engine has logged the error.
    throw createError({ statusCode: 500, message: "The session couldn't be read. The log of the server says why." })
  }
}

export default plugin
