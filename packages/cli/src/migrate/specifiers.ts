import type { CallExpression, Node } from "oxc-parser"
import type { Edit } from "../source/edits.js"
import { nameOf, type Source, textOf, walk } from "../source/syntax.js"

/** A string that names a module in an import, a type, `declare module`, `require`, or a mock. */
export interface Specifier {
  readonly value: string
  readonly start: number
  readonly end: number
}

const calls = new Set(["require", "mock", "doMock", "unmock", "requireActual", "importActual", "requireMock"])

export function specifiersIn({ program }: Source): Specifier[] {
  const found: Specifier[] = []
  walk(program, (node) => {
    const literal = literalOf(node)
    const value = literal === undefined ? undefined : textOf(literal)
    if (literal !== undefined && value !== undefined) found.push({ value, start: literal.start, end: literal.end })
  })
  return found
}

function literalOf(node: Node): Node | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
    case "TSImportType":
    case "ExportNamedDeclaration":
      return node.source ?? undefined
    case "TSModuleDeclaration":
      return node.id
    case "TSExternalModuleReference":
      return node.expression
    case "CallExpression":
      return calledWith(node)
    default:
      return undefined
  }
}

/** `require("…")`, `vi.mock("…")` */
function calledWith({ callee, arguments: given }: CallExpression): Node | undefined {
  const name = nameOf(callee.type === "MemberExpression" ? callee.property : callee)
  return name !== undefined && calls.has(name) ? given[0] : undefined
}

/** Replaces the string between the quotes. */
export function renamed({ start, end }: Specifier, value: string): Edit {
  return { start: start + 1, end: end - 1, text: value }
}

const direct: Readonly<Record<string, string>> = {
  "next-auth": "@latchkey/next",
  "@auth/core": "@latchkey/core",
  "@auth/express": "@latchkey/express",
}

/** The subpaths that Latchkey's packages have, too. */
const entries: Readonly<Record<string, readonly string[]>> = {
  "next-auth": ["", "adapters", "jwt", "middleware", "next", "providers", "react", "webauthn"],
  "@auth/core": ["", "adapters", "errors", "jwt", "providers", "types"],
  "@auth/express": ["", "adapters", "providers"],
}

export type Target =
  | { readonly kind: "ours"; readonly to: string; readonly provider: string | undefined }
  | { readonly kind: "unknown"; readonly problem: string }

/** The module that replaces a module of Auth.js. Undefined for other modules. */
export function targetOf(value: string): Target | undefined {
  const adapter = /^@next-auth\/([\w-]+-adapter)$/.exec(value)?.[1]
  if (adapter !== undefined) return { kind: "ours", to: `@auth/${adapter}`, provider: undefined }
  const [, name, path = ""] = /^(next-auth|@auth\/[\w-]+)(?:\/(.*))?$/.exec(value) ?? []
  return name === undefined || name.endsWith("-adapter") ? undefined : targetIn(name, path)
}

function targetIn(name: string, path: string): Target {
  const ours = direct[name]
  if (ours === undefined) return { kind: "unknown", problem: `Latchkey has no package for ${name} yet.` }
  const provider = /^providers\/([\w-]+)$/.exec(path)?.[1]
  const isKnown = provider !== undefined || entries[name]?.includes(path) === true
  if (!isKnown) {
    return { kind: "unknown", problem: `${name}/${path} has no counterpart. Import what you need from ${ours}.` }
  }
  return { kind: "ours", to: path === "" ? ours : `${ours}/${path}`, provider }
}
