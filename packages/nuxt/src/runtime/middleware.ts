import {
  createError,
  defineNuxtRouteMiddleware,
  navigateTo,
  type RouteMiddleware,
  useNuxtApp,
  useRequestEvent,
  useResponseHeader,
  useRuntimeConfig,
} from "nuxt/app"
import { contextKey, type NuxtAuthState, type PageServer } from "./page.js"

/** The route middleware `auth`: pages that have it need a session. */
const middleware: RouteMiddleware = defineNuxtRouteMiddleware(async (to) => {
  // The plugin provides it.
  const { client, signInPage } = useNuxtApp()["$latchkey"] as NuxtAuthState
  const event = useRequestEvent()
  const isServer = event !== undefined
  const { status } = client.getSnapshot()
  if (status === "authenticated") return undefined
  if (status === "loading" && isServer)
    throw createError({
      statusCode: 500,
      message: `The page ${to.path} needs a session, so it can't be prerendered or cached. Change its route rules.`,
    })
  if (status === "loading" && (await client.getSession()) !== null) return undefined
  if (event !== undefined) {
    useResponseHeader("cache-control").value = "private, no-store"
    await failInOutage(event.context[contextKey] as PageServer, event)
  }
  const separator = signInPage.includes("?") ? "&" : "?"
  // Nuxt always sets it.
  const { baseURL } = useRuntimeConfig()["app"] as { readonly baseURL: string }
  // Several slashes at the start would name another host.
  const callbackUrl = (baseURL.replace(/\/+$/, "") + to.fullPath).replace(/^[/\\]+/, "/")
  const target = `${signInPage}${separator}${new URLSearchParams({ callbackUrl })}`
  return navigateTo(target, { external: true, redirectCode: 303 })
})

/** A user whose session couldn't be read may be signed in, and couldn't sign in anyway. */
async function failInOutage(server: PageServer, event: object): Promise<void> {
  try {
    await server.requireSession(event)
  } catch (error) {
    const statusCode: unknown = Reflect.get(Object(error), "statusCode")
    if (statusCode === 503)
      throw createError({ statusCode, message: "The session can't be checked now. Try again later." })
  }
}

export default middleware
