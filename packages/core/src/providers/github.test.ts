import { describe, expect, test } from "vitest"
import type { OAuthProvider } from "../model/oauth-provider.js"
import { makeProvider } from "../config/read-providers.js"
import { resolveProvider } from "../config/compile.js"
import { features } from "../engine/features.js"
import { systemRuntime } from "../primitives/runtime.js"
import GitHub, { type GitHubOptions } from "./github.js"

const octocat = { id: 1, login: "octocat", name: null, avatar_url: "https://avatars.githubusercontent.com/u/1" }

/** Reads the profile from an API that has only these responses. */
async function profileFrom(answers: Readonly<Record<string, unknown>>, options: GitHubOptions = {}) {
  const provider = resolveProvider(
    features.providers,
    makeProvider(GitHub(options)),
    { providers: [] },
    systemRuntime,
  ) as OAuthProvider
  const asked: string[] = []
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const headers = new Headers(init?.headers)
    asked.push(`${String(input)} ${headers.get("authorization")} ${headers.get("user-agent")}`)
    const answer = answers[new URL(String(input)).pathname]
    return answer === undefined ? Response.json({ message: "Not Found" }, { status: 404 }) : Response.json(answer)
  }
  const context = { ...provider, fetch, signinUrl: "", callbackUrl: "" }
  const raw = await provider.userinfo.request?.({ tokens: { access_token: "t" }, provider: context })
  return { raw, asked, provider }
}

describe("the GitHub profile", () => {
  test("has the email the user shows on their profile", async () => {
    const { raw, asked } = await profileFrom({ "/user": { ...octocat, email: "octocat@github.com" } })
    expect(raw).toEqual({ ...octocat, email: "octocat@github.com" })
    expect(asked).toEqual(["https://api.github.com/user Bearer t latchkey"])
  })

  test.each([
    [
      "the primary email",
      [
        { email: "b@x.test", verified: true },
        { email: "a@x.test", verified: true, primary: true },
      ],
      "a@x.test",
    ],
    [
      "otherwise the first",
      [
        { email: "b@x.test", verified: true },
        { email: "c@x.test", verified: true },
      ],
      "b@x.test",
    ],
    ["never an unverified email", [{ email: "a@x.test", verified: false, primary: true }], undefined],
    ["none from an empty list", [], undefined],
    ["none from a response that isn't a list", { message: "no" }, undefined],
    ["none without permission to read the list", undefined, undefined],
  ])("gets a verified email if the user hides theirs: %s", async (_, emails, email) => {
    const { raw } = await profileFrom({ "/user": { ...octocat, email: null }, "/user/emails": emails })
    expect(raw).toEqual({ ...octocat, email: email ?? null, ...(email !== undefined && { email_verified: true }) })
  })

  test("comes from the API of a GitHub Enterprise Server", async () => {
    const enterprise = { baseUrl: "https://git.example" }
    const { asked, provider } = await profileFrom({ "/api/v3/user": { ...octocat, email: "a@x.test" } }, { enterprise })
    expect(asked).toEqual(["https://git.example/api/v3/user Bearer t latchkey"])
    expect(provider.issuer).toBe("https://git.example/login/oauth")
    expect(provider.profile({ ...octocat, email: "a@x.test" }, {})).toEqual({
      id: "1",
      name: "octocat",
      email: "a@x.test",
      image: octocat.avatar_url,
    })
  })
})
