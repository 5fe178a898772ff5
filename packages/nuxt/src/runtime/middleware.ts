import {
  createError,
  defineNuxtRouteMiddleware,
  navigateTo,
  type RouteMiddleware,
  useNuxtApp,
  useRequestEvent,
  useResponseHeader,
} from "nuxt/app"
import type { NuxtAuthState } from "./page.js"

/** The route middleware `auth`: pages that have it need a session. */
const middleware: RouteMiddleware = defineNuxtRouteMiddleware(async (to) => {
  // The plugin provides it.
  const { client, signInPage } = useNuxtApp()["$latchkey"] as NuxtAuthState
  const isServer = useRequestEvent() !== undefined
  const { status } = client.getSnapshot()
  if (status === "authenticated") return undefined
  if (status === "loading" && isServer)
    throw createError({
      statusCode: 500,
      message: `The page ${to.path} needs a session, so it can't be prerendered or cached. Change its route rules.`,
    })
  if (status === "loading" && (await client.getSession()) !== null) return undefined
  if (isServer) useResponseHeader("cache-control").value = "private, no-store"
  const separator = signInPage.includes("?") ? "&" : "?"
  // Several slashes at the start would name another host.
  const callbackUrl = to.fullPath.replace(/^[/\\]+/, "/")
  const target = `${signInPage}${separator}${new URLSearchParams({ callbackUrl })}`
  return navigateTo(target, { external: true, redirectCode: 303 })
})

export default middleware
