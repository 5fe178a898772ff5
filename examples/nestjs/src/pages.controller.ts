import { readFileSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { type AppSession, type AuthRedirect, AuthService, CurrentSession, Public } from "@latchkey/nestjs"
import { Body, Controller, Get, Header, Post, Query, Redirect, Req } from "@nestjs/common"
import { accountPage, homePage, signInPage } from "./pages.js"

type Fields = Readonly<Record<string, unknown>>

const style = readFileSync(new URL("../public/style.css", import.meta.url), "utf8")

@Controller()
export class PagesController {
  readonly #auth: AuthService

  constructor(auth: AuthService) {
    this.#auth = auth
  }

  @Public()
  @Get()
  @Header("content-type", "text/html; charset=utf-8")
  home(@CurrentSession() session: AppSession | null): string {
    return homePage(session)
  }

  @Get("account")
  @Header("content-type", "text/html; charset=utf-8")
  account(@CurrentSession() session: AppSession): string {
    return accountPage(session)
  }

  @Post("account")
  @Redirect("/account", 303)
  async rename(@Req() request: IncomingMessage, @Body() fields: Fields): Promise<void> {
    await this.#auth.update(request, { user: { name: text(fields?.["name"]) ?? null } })
  }

  @Get("api/account")
  apiAccount(@CurrentSession() { user }: AppSession) {
    return { email: user.email, name: user.name }
  }

  @Public()
  @Get("api/csrf-token")
  async csrfToken(@Req() request: IncomingMessage) {
    return { csrfToken: await this.#auth.csrfToken(request) }
  }

  @Public()
  @Get("sign-in")
  @Header("content-type", "text/html; charset=utf-8")
  signInForm(@Query() query: Fields): string {
    return signInPage({ callbackUrl: text(query["callbackUrl"]), error: text(query["error"]) })
  }

  @Public()
  @Post("sign-in")
  @Redirect()
  async signIn(
    @Req() request: IncomingMessage,
    @Body() fields: Fields,
  ): Promise<Pick<AuthRedirect, "url" | "statusCode">> {
    const { email, password, callbackUrl } = { ...fields }
    const redirectTo = text(callbackUrl)
    const options = { email, password, redirectTo, redirect: false } as const
    const { to, error } = await this.#auth.signIn(request, "credentials", options)
    const form = `/sign-in?${new URLSearchParams({ callbackUrl: redirectTo ?? "", error: error?.type ?? "" }).toString()}`
    return { url: error === undefined ? to : form, statusCode: 303 }
  }

  @Public()
  @Post("sign-in/start")
  @Redirect()
  startSignIn(@Req() request: IncomingMessage): Promise<AuthRedirect> {
    return this.#auth.signIn(request, undefined, { redirectTo: "/account" })
  }

  @Public()
  @Post("sign-out")
  @Redirect()
  signOut(@Req() request: IncomingMessage): Promise<AuthRedirect> {
    return this.#auth.signOut(request, { redirectTo: "/" })
  }

  @Public()
  @Get("style.css")
  @Header("content-type", "text/css")
  style(): string {
    return style
  }
}

/** A field of a form or query, unless it's empty or repeated. */
function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}
