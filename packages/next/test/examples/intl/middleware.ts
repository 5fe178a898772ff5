import { auth } from "@/auth"
import type { NextRequest } from "next/server"
import createMiddleware from "next-intl/middleware"

const locales = ["en", "de"]
const publicPages = ["/", "/login"]
const intl = createMiddleware({ locales, localePrefix: "as-needed", defaultLocale: "en" })

const authMiddleware = auth((request) => {
  if (request.auth) return intl(request)
  return Response.redirect(new URL("/login", request.nextUrl))
})

export default function middleware(request: NextRequest) {
  const isPublic = publicPages.includes(request.nextUrl.pathname)
  return isPublic ? intl(request) : (authMiddleware as (request: NextRequest) => Response | Promise<Response>)(request)
}
