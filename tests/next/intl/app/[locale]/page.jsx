import { cookies, headers } from "next/headers"
import { auth } from "../../auth.js"

export default async function Page({ params }) {
  const [{ locale }, session, given, jar] = await Promise.all([params, auth(), headers(), cookies()])
  const seen = {
    locale,
    told: given.get("x-next-intl-locale"),
    name: session?.user.name ?? null,
    cookie: jar.get("authjs.session-token")?.value ?? null,
    language: given.get("accept-language"),
  }
  return <pre id="seen">{JSON.stringify(seen)}</pre>
}
