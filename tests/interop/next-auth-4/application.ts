import { randomUUID } from "node:crypto"
import type { FakeProvider } from "@latchkey/testing"
import { createDatabase, tablesWith } from "../differential/database.js"
import type { Recorder } from "../differential/recorder.js"
import type { Library } from "./libraries.js"
import type { Plan } from "./plan.js"

type Anything = ReturnType<typeof JSON.parse>

/** The options of an application, whose functions record their calls. */
export function optionsFor(library: Library, plan: Plan, { recorder, op, secret }: Parts): Anything {
  const { database, pages, cookieName, origin, maxAge } = plan
  const adapter = createDatabase(recorder, tablesWith(plan.hasUser ? ["ada@example.test"] : []))
  return {
    secret,
    pages,
    providers: [
      credentialsOf(library, plan, recorder),
      providerOf(plan, op, recorder),
      ...emails(library, plan, recorder),
    ],
    ...(database !== "none" && { adapter }),
    session: {
      ...(database === "jwt" && { strategy: "jwt" }),
      ...(maxAge !== undefined && { maxAge }),
    },
    ...(plan.jwtCodec && { jwt: codec }),
    callbacks: callbacksOf(plan, recorder),
    events: eventsOf(recorder),
    logger: { error: (code: string) => recorder.logger.error(code), warn: () => undefined, debug: () => undefined },
    ...(cookieName !== undefined && {
      cookies: {
        sessionToken: {
          name: cookieName,
          options: { httpOnly: true, sameSite: "lax", path: "/", secure: origin.startsWith("https") },
        },
      },
    }),
  }
}

interface Parts {
  readonly recorder: Recorder
  readonly op: FakeProvider
  readonly secret: string
}

/** Tokens that anyone could read, as some applications have for other services. */
const codec = {
  encode: ({ token }: Anything) => Buffer.from(JSON.stringify({ ...token, jti: randomUUID() })).toString("base64url"),
  decode: ({ token }: Anything) => (token ? JSON.parse(Buffer.from(token, "base64url").toString()) : null),
}

function credentialsOf({ Credentials }: Library, { authorize }: Plan, recorder: Recorder): Anything {
  return Credentials({
    name: "Password",
    credentials: { username: { label: "Username" }, password: { type: "password" } },
    authorize(credentials: Anything, { body, query, method }: Anything) {
      recorder.record("provider", "authorize", { credentials, body, query, method })
      if (authorize === "throws") throw new Error("Account locked: ask an admin?")
      if (authorize === "throws text") throw new Error("no")
      if (authorize === "null" || credentials.password !== "secret") return null
      if (authorize === "plain") return { id: "user-1", email: "ada@example.test" }
      return { id: "user-1", name: "Ada", email: "ada@example.test", image: "https://img.test/ada.png", role: "admin" }
    },
  })
}

function providerOf({ provider }: Plan, op: FakeProvider, recorder: Recorder): Anything {
  const { issuer, clientId, clientSecret } = op
  const common = {
    id: "op",
    name: "Op",
    type: "oauth",
    clientId,
    clientSecret,
    profile(profile: Anything, tokens: Anything) {
      recorder.record("provider", "profile", { profile, tokens: Object.keys(tokens).toSorted() })
      return { id: profile.sub, name: profile.name, email: profile.email, image: profile.picture }
    },
  }
  const endpoints = {
    authorization: { url: `${issuer}/authorize`, params: { scope: "openid email profile" } },
    token: `${issuer}/token`,
    userinfo: `${issuer}/userinfo`,
  }
  switch (provider) {
    case "well known":
      return {
        ...common,
        wellKnown: `${issuer}/.well-known/openid-configuration`,
        authorization: { params: { scope: "openid email profile" } },
        idToken: true,
        checks: ["pkce", "state"],
      }
    case "openid":
      return {
        ...common,
        issuer,
        wellKnown: `${issuer}/.well-known/openid-configuration`,
        authorization: { params: { scope: "openid email profile" } },
        idToken: true,
      }
    case "openid checks":
      return {
        ...common,
        wellKnown: `${issuer}/.well-known/openid-configuration`,
        authorization: { params: { scope: "openid email profile" } },
        checks: ["pkce", "state", "nonce"],
      }
    case "oauth":
      return { ...common, ...endpoints, authorization: `${issuer}/authorize?scope=email` }
    case "oauth request":
      return {
        ...common,
        ...endpoints,
        authorization: { url: `${issuer}/authorize`, params: { scope: "email" } },
        userinfo: {
          url: `${issuer}/userinfo`,
          request: async ({ client, tokens }: Anything) => client.userinfo(tokens.access_token),
        },
      }
  }
}

function emails({ Email }: Library, { database }: Plan, recorder: Recorder): readonly Anything[] {
  if (database === "none") return []
  const email = Email({
    server: "smtp://localhost",
    from: "no-reply@app.test",
    sendVerificationRequest({ identifier, url, provider, theme }: Anything) {
      recorder.links.push(url)
      recorder.record("provider", "sendVerificationRequest", { identifier, from: provider.from, theme })
    },
  })
  return [email]
}

function callbacksOf({ signIn, jwt, session, redirect }: Plan, recorder: Recorder): Anything {
  const recorded = (name: string, run: (params: Anything) => unknown) => (params: Anything) => {
    recorder.record(name === "redirect" ? "redirect" : "callback", name, params)
    return run(params)
  }
  return {
    ...(signIn !== "none" && {
      signIn: recorded("signIn", () => {
        if (signIn === "throws") throw new Error("not on the list")
        return signIn === "yes" ? true : signIn === "no" ? false : signIn
      }),
    }),
    ...(jwt !== "none" && {
      jwt: recorded("jwt", ({ token, user, session: data, trigger }) => {
        const update = trigger === "update" ? { role: data?.role } : {}
        if (jwt === "role") return { ...token, ...(user && { role: "member" }), ...update }
        return { sub: token.sub, name: token.name, count: (token.count ?? 0) + 1 }
      }),
    }),
    ...(session !== "none" && {
      session: recorded("session", ({ session: given, token, user }) => {
        if (session === "own") return { me: token?.sub ?? user?.id, expires: given.expires }
        given.user.role = token?.role ?? "row"
        return given
      }),
    }),
    ...(redirect !== "none" && {
      redirect: recorded("redirect", ({ url, baseUrl }) => (redirect === "home" ? `${baseUrl}/home` : url)),
    }),
  }
}

function eventsOf(recorder: Recorder): Anything {
  const names = ["signIn", "signOut", "createUser", "updateUser", "linkAccount", "session"]
  return Object.fromEntries(names.map((name) => [name, (message: unknown) => recorder.record("event", name, message)]))
}
