import fc from "fast-check"

/** One thing that a user does. `players.ts` maps the numbers to browsers. */
export type Deed =
  | { readonly kind: "provider"; readonly tab: number; readonly at: "op" | "other"; readonly as: string }
  | { readonly kind: "link"; readonly tab: number; readonly at: "op" | "other"; readonly as: string }
  | { readonly kind: "mail"; readonly tab: number; readonly as: string }
  | { readonly kind: "sign-out" | "read" | "update" | "delete"; readonly tab: number }

export interface History {
  readonly mode: "strict" | "compatible"
  readonly strategy: "database" | "jwt"
  /** In sequence and without faults. */
  readonly before: readonly Deed[]
  /** In parallel. */
  readonly deeds: readonly Deed[]
  /** At which calls, counted as they happen. */
  readonly faults: readonly { readonly at: number; readonly moment: "before" | "after" }[]
}

/** Ada and Adam have the same email at both providers. */
const people = ["ada", "adam", "grace"] as const

const tab = fc.nat({ max: 2 })
const as = fc.constantFrom(...people)
const at = fc.constantFrom("op" as const, "other" as const)
const provider = fc.record({ kind: fc.constant("provider" as const), tab, at, as })
const link = fc.record({ kind: fc.constant("link" as const), tab, at, as })
const mail = fc.record({ kind: fc.constant("mail" as const), tab, as })
const other = (...kinds: readonly ("sign-out" | "read" | "update" | "delete")[]) =>
  fc.record({ kind: fc.constantFrom(...kinds), tab })

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: provider },
  { weight: 2, arbitrary: link },
  { weight: 3, arbitrary: mail },
  { weight: 3, arbitrary: other("sign-out", "read", "update", "delete") },
)

export const history: fc.Arbitrary<History> = fc.record({
  mode: fc.constantFrom("strict" as const, "compatible" as const),
  strategy: fc.constantFrom("database" as const, "jwt" as const),
  before: fc.array(fc.oneof<fc.Arbitrary<Deed>[]>(provider, mail), { maxLength: 2 }),
  deeds: fc.array(deed, { minLength: 2, maxLength: 4 }),
  faults: fc.array(
    fc.record({ at: fc.nat({ max: 30 }), moment: fc.constantFrom("before" as const, "after" as const) }),
    { maxLength: 2 },
  ),
})
