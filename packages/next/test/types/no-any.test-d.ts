import NextAuth, { type NextAuthConfig, type NextAuthResult } from "@latchkey/next"
import type { Adapter } from "@latchkey/next/adapters"
import type * as jwt from "@latchkey/next/jwt"
import type { Provider } from "@latchkey/next/providers"
import type credentials from "@latchkey/next/providers/credentials"
import type email from "@latchkey/next/providers/email"
import GitHub, { type GitHubProfile } from "@latchkey/next/providers/github"
import Google from "@latchkey/next/providers/google"
import type nodemailer from "@latchkey/next/providers/nodemailer"
import type { GetServerSidePropsContext, NextApiRequest, NextApiResponse } from "next"
import type { NextFetchEvent, NextRequest } from "next/server.js"
import { expectTypeOf, test } from "vitest"

type IsAny<T> = 0 extends 1 & T ? true : false

/** Types of other packages, some of which contain `any`. */
type Foreign =
  | NextRequest
  | NextFetchEvent
  | NextApiRequest
  | NextApiResponse
  | GetServerSidePropsContext
  | Request
  | Response
  | FormData
  | URLSearchParams
  | Headers
  | URL
  | Date
  | Error
  | RequestInit
  | Uint8Array

/** Whether a property, element, parameter or result up to five levels below `T` is `any`. */
type HoldsAny<T, Steps extends readonly unknown[] = []> =
  IsAny<T> extends true
    ? true
    : Steps["length"] extends 5
      ? false
      : T extends Foreign | string | number | symbol | bigint
        ? false
        : T extends PromiseLike<infer Item> | ReadonlyMap<unknown, infer Item> | readonly (infer Item)[]
          ? HoldsAny<Item, [...Steps, 0]>
          : T extends (...parameters: infer P) => infer R
            ? Any<HoldsAny<P[number], [...Steps, 0]> | HoldsAny<R, [...Steps, 0]>>
            : T extends object
              ? Any<Values<{ [K in keyof T as K extends Unchecked ? never : K]-?: HoldsAny<T[K], [...Steps, 0]> }>>
              : false

/** `picture` of a profile, which some providers send as an object. next-auth doesn't check it either. */
type Unchecked = "picture"
type Values<T> = T[keyof T]

type Any<Answers> = true extends Answers ? true : false
/** Distributes over unions. */
type NoAny<T> = Any<HoldsAny<T>> extends true ? false : true

test("the helper finds `any` at every level", () => {
  type Found = ReturnType<typeof JSON.parse>
  expectTypeOf<NoAny<Found>>().toEqualTypeOf<false>()
  expectTypeOf<NoAny<{ a: { b?: Found[] } }>>().toEqualTypeOf<false>()
  expectTypeOf<NoAny<(a: string, b: Found) => void>>().toEqualTypeOf<false>()
  expectTypeOf<NoAny<() => Promise<Found>>>().toEqualTypeOf<false>()
  expectTypeOf<NoAny<string | { a: Found }>>().toEqualTypeOf<false>()
  expectTypeOf<NoAny<{ a: unknown; b: (c: never) => string[] }>>().toEqualTypeOf<true>()
})

const result = NextAuth({
  providers: [],
  callbacks: { session: ({ session, token }) => ({ ...session, sub: token.sub, own: token["own"] }) },
})

test("the result of NextAuth has no `any`", () => {
  expectTypeOf<NoAny<Omit<typeof result, "auth">>>().toEqualTypeOf<true>()
  expectTypeOf<NoAny<Omit<NextAuthResult, "auth">>>().toEqualTypeOf<true>()
})

test("no overload of auth has `any`", () => {
  const { auth } = result
  const inComponents = auth()
  const asMiddleware = auth({} as NextRequest, {} as NextFetchEvent)
  const inRoutes = auth({} as NextApiRequest, {} as NextApiResponse)
  const inProps = auth({} as GetServerSidePropsContext)
  expectTypeOf<NoAny<typeof inComponents>>().toEqualTypeOf<true>()
  expectTypeOf<NoAny<typeof asMiddleware>>().toEqualTypeOf<true>()
  expectTypeOf<NoAny<typeof inRoutes>>().toEqualTypeOf<true>()
  expectTypeOf<NoAny<typeof inProps>>().toEqualTypeOf<true>()
  const wrapped = auth((request) => {
    expectTypeOf<NoAny<typeof request.auth>>().toEqualTypeOf<true>()
  })
  expectTypeOf<NoAny<typeof wrapped>>().toEqualTypeOf<true>()
})

test("callbacks, events and options have no `any`", () => {
  type Callbacks = Required<NonNullable<NextAuthConfig["callbacks"]>>
  type Events = Required<NonNullable<NextAuthConfig["events"]>>
  type Logger = Required<NonNullable<NextAuthConfig["logger"]>>
  expectTypeOf<NoAny<Callbacks["jwt"]>>().toEqualTypeOf<true>()
  expectTypeOf<NoAny<Callbacks["session"]>>().toEqualTypeOf<true>()
  expectTypeOf<NoAny<Omit<Callbacks, "jwt" | "session">>>().toEqualTypeOf<true>()
  expectTypeOf<NoAny<Events>>().toEqualTypeOf<true>()
  expectTypeOf<NoAny<Logger>>().toEqualTypeOf<true>()
  expectTypeOf<NoAny<Omit<NextAuthConfig, "callbacks" | "events" | "logger">>>().toEqualTypeOf<true>()
})

test("adapters, providers and JWTs have no `any`", () => {
  expectTypeOf<NoAny<Adapter>>().toEqualTypeOf<true>()
  expectTypeOf<NoAny<Provider>>().toEqualTypeOf<true>()
  expectTypeOf<NoAny<typeof credentials>>().toEqualTypeOf<true>()
  expectTypeOf<NoAny<typeof email>>().toEqualTypeOf<true>()
  expectTypeOf<NoAny<typeof nodemailer>>().toEqualTypeOf<true>()
  expectTypeOf<NoAny<typeof jwt>>().toEqualTypeOf<true>()
})

test("a profile callback can use claims that the type of the profile doesn't list", () => {
  Google({ profile: ({ sub, given_name, claims }) => ({ id: sub, name: given_name.trim(), email: claims.work.email }) })
  GitHub<GitHubProfile & { roles: string[] }>({
    profile: ({ id, roles }) => ({ id: String(id), name: roles[0] ?? null }),
  })
})
