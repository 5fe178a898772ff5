import { InvalidConfig } from "../errors.js"
import type { Module, ModuleParts } from "../module-kit/model.js"
import { endsScript } from "../pages/html.js"

interface Scripted {
  readonly module: Pick<Module, "id">
  readonly parts: Pick<ModuleParts, "script">
}

/** The script of the pages of a module. @throws InvalidConfig if it can't be part of a page */
export async function scriptOf({ module, parts: { script } }: Scripted): Promise<string | undefined> {
  return typeof script === "function" ? usable(module, (await script()).default) : script
}

/** @throws InvalidConfig if a script that isn't loaded later can't be part of a page */
export function assertScript({ module, parts: { script } }: Scripted): void {
  if (typeof script === "string") usable(module, script)
}

function usable({ id }: Pick<Module, "id">, script: string): string {
  if (!endsScript(script)) return script
  const fix = "Write `\\x3C` instead of `<` there"
  throw new InvalidConfig(`modules: ${id}: \`script\` contains \`<script\`, \`</script\` or \`<!--\`. ${fix}`)
}
