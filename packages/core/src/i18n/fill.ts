/** Replaces each placeholder that has a value. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? "") : placeholder,
  )
}

type Unit = "day" | "hour" | "minute"

/** In whole days, hours or minutes, rounded down so that a link never expires before the stated time. */
export function duration(seconds: number, language: string): string {
  const { unit, count } = inWholeUnits(seconds)
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count)
}

/** Such as "10 minutes ago". */
export function ago(seconds: number, language: string): string {
  const { unit, count } = inWholeUnits(seconds)
  return new Intl.RelativeTimeFormat(language).format(-count, unit)
}

function inWholeUnits(seconds: number): { readonly unit: Unit; readonly count: number } {
  const [unit, length] =
    seconds >= 172_800
      ? (["day", 86_400] as const)
      : seconds >= 7200
        ? (["hour", 3600] as const)
        : (["minute", 60] as const)
  return { unit, count: Math.max(1, Math.floor(seconds / length)) }
}
