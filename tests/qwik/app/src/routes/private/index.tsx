import { component$ } from "@builder.io/qwik"
import type { RequestHandler } from "@builder.io/qwik-city"
import type { Session } from "@auth/qwik"
import { useSession } from "../plugin@auth"

export const onRequest: RequestHandler = ({ env, redirect, sharedMap, url }) => {
  const session: Session | null = sharedMap.get("session")
  const page = env.get("SIGN_IN_PAGE") ?? "/auth/signin"
  if (!session) throw redirect(302, `${page}?callbackUrl=${encodeURIComponent(url.pathname + url.search)}`)
}

export default component$(() => {
  const session = useSession()
  return <p id="private">{session.value?.user?.email}</p>
})
