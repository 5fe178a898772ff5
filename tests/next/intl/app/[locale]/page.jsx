import { cookies, headers } from "next/headers"
import { auth } from "../../auth.js"

export default async function Page({ params }) {
  const [{ locale }, session, requestHeaders, jar] = await Promise.all([params, auth(), headers(), cookies()])
  const rendered = {
    locale,
    headerLocale: requestHeaders.get("x-next-intl-locale"),
    name: session?.user.name ?? null,
    cookie: jar.get("authjs.session-token")?.value ?? null,
    language: requestHeaders.get("accept-language"),
  }
  return <pre id="rendered">{JSON.stringify(rendered)}</pre>
}
