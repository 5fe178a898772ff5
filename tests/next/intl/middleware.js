import createMiddleware from "next-intl/middleware"
import { auth } from "./auth.js"

const localized = createMiddleware({ locales: ["en", "de"], defaultLocale: "en", localePrefix: "as-needed" })

export default auth((request) => {
  const response = localized(request)
  response.headers.set("x-user", request.auth?.user.name ?? "visitor")
  return response
})

export const config = { matcher: ["/((?!api|_next).*)"] }
