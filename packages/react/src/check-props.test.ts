import { fileURLToPath } from "node:url"
import { SessionProvider } from "@latchkey/react"
import { SignedIn, SignedOut, SignIn, SignInButton, SignOutButton, UserButton } from "@latchkey/react/components"
import { createElement, type FunctionComponent } from "react"
import { renderToString } from "react-dom/server"
import { rolldown } from "rolldown"
import { expect, test, vi } from "vitest"

/** Renders a component as JavaScript can, with any props, and returns the warnings. */
function warningsOf(component: unknown, props: object): readonly string[] {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined)
  const element = createElement(component as FunctionComponent<object>, props)
  renderToString(createElement(SessionProvider, { session: null }, element))
  return warn.mock.calls.map(([text]) => String(text))
}

test.each([
  ["SessionProvider", SessionProvider, { basepath: "/auth" }, "Did you mean `basePath`?"],
  ["SessionProvider", SessionProvider, { refetchIntervall: 60 }, "Did you mean `refetchInterval`?"],
  ["SessionProvider", SessionProvider, { sesion: null }, "Did you mean `session`?"],
  ["SessionProvider", SessionProvider, { baseRul: "https://a.test" }, "Did you mean `baseUrl`?"],
  ["SessionProvider", SessionProvider, { refetchInternal: 60 }, "Did you mean `refetchInterval`?"],
  ["SessionProvider", SessionProvider, { className: "x" }, "It has no effect."],
  ["SignIn", SignIn, { redirect: "/home" }, "It has no effect."],
  ["SignIn", SignIn, { classnames: {} }, "Did you mean `classNames`?"],
  ["SignedIn", SignedIn, { falback: "…" }, "Did you mean `fallback`?"],
  ["SignedOut", SignedOut, { fallbacks: "…" }, "Did you mean `fallback`?"],
  ["UserButton", UserButton, { accountURL: "/me" }, "Did you mean `accountUrl`?"],
  ["SignInButton", SignInButton, { providr: "github" }, "Did you mean `provider`?"],
  ["SignOutButton", SignOutButton, { redirectto: "/" }, "Did you mean `redirectTo`?"],
])("<%s> warns once of a prop that it doesn't have: %#", (name, component, props, hint) => {
  const warnings = [`<${name}> has no prop \`${Object.keys(props).join()}\`. ${hint}`]
  expect(warningsOf(component, props)).toEqual(warnings)
  expect(warningsOf(component, props)).toEqual(warnings)
})

test.each([
  ["SessionProvider", SessionProvider, { session: null, basePath: "/auth", refetchInterval: 0 }],
  ["SignIn", SignIn, { key: "a", children: "x", "data-test": 1, "aria-label": "x", methods: [], heading: null }],
  ["UserButton", UserButton, { accountUrl: null, children: "x" }],
  [
    "SignInButton",
    SignInButton,
    { provider: "github", title: "x", form: "f", "data-test": 1, onClick: () => undefined },
  ],
  ["SignOutButton", SignOutButton, { redirectTo: "/", className: "x", type: "button", value: "x" }],
])("<%s> doesn't warn of its own props, nor of those that it passes on", (_, component, props) => {
  expect(warningsOf(component, props)).toEqual([])
})

async function bundle(mode: string): Promise<string> {
  const path = (file: string) => fileURLToPath(new URL(file, import.meta.url))
  const build = await rolldown({
    input: path("../test/pages/components.tsx"),
    platform: "browser",
    tsconfig: false,
    logLevel: "silent",
    external: /^react/,
    resolve: {
      alias: {
        "@latchkey/react/components": path("components.ts"),
        "@latchkey/react": path("index.ts"),
        "@latchkey/client/flow": path("../../client/src/flow.ts"),
        "@latchkey/client/webauthn": path("../../client/src/webauthn.ts"),
        "@latchkey/client": path("../../client/src/index.ts"),
      },
    },
    transform: { jsx: { runtime: "automatic" }, define: { "process.env.NODE_ENV": JSON.stringify(mode) } },
  })
  const { output } = await build.generate({ codeSplitting: false })
  await build.close()
  return output[0].code
}

test("a bundle for production has neither the warning, nor the names of the props, nor a call", async () => {
  const found = /has no prop|refetchWhenOffline: true|checkProps|component: "/
  expect(await bundle("development")).toMatch(found)
  expect(await bundle("production")).not.toMatch(found)
})
