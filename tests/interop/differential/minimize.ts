import type { Plan, Scenario, Step } from "./plan.js"

/** Removes steps and settings for as long as the scenario still fails. */
export async function minimize(scenario: Scenario, fails: (smaller: Scenario) => Promise<boolean>): Promise<Scenario> {
  for (const smaller of smallerThan(scenario)) if (await fails(smaller)) return await minimize(smaller, fails)
  return scenario
}

function* smallerThan({ plan, steps }: Scenario): Generator<Scenario> {
  for (const index of steps.keys()) yield { plan, steps: steps.toSpliced(index, 1) }
  for (const smaller of smallerPlans(plan)) yield { plan: smaller, steps }
  for (const [index, step] of steps.entries()) {
    for (const smaller of smallerSteps(step)) yield { plan, steps: steps.with(index, smaller) }
  }
}

const optional = [
  "users",
  "failingEvents",
  "pages",
  "cookies",
  "theme",
  "session",
  "basePath",
  "useSecureCookies",
  "trustHost",
] as const

function* smallerPlans(plan: Plan): Generator<Plan> {
  for (const name of optional) if (plan[name] !== undefined) yield withoutKey(plan, name)
  for (const providers of fewerProviders(plan)) yield { ...plan, providers }
  for (const name of Object.keys(plan.callbacks)) yield { ...plan, callbacks: withoutKey(plan.callbacks, name) }
  if (plan.config !== "one object") yield { ...plan, config: "one object" }
  if (plan.framework !== "core") yield { ...plan, framework: "core" }
  if (plan.secrets === "two") yield { ...plan, secrets: "one" }
  if (plan.adapter) yield { ...plan, adapter: false }
}

const settings = ["params", "profile", "checks", "maxAge", "fails", "allowDangerousEmailAccountLinking"]

function* fewerProviders({ providers }: Plan): Generator<Plan["providers"]> {
  for (const index of providers.keys()) yield providers.toSpliced(index, 1)
  for (const [index, provider] of providers.entries()) {
    const given = settings.filter((name) => name in provider)
    for (const name of given) yield providers.with(index, withoutKey(provider, name))
  }
}

function* smallerSteps(step: Step): Generator<Step> {
  for (const name of ["email", "fields", "json", "body", "bare", "method"])
    if (name in step) yield withoutKey(step, name)
  if (step.do === "get" && step.path.includes("?")) yield { ...step, path: step.path.replace(/\?.*/, "") }
  if (step.do === "submit" && step.page.includes("?")) yield { ...step, page: step.page.replace(/\?.*/, "") }
}

function withoutKey<T extends object>(object: T, name: string): T {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name)) as T
}
