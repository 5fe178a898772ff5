import { InvalidConfig } from "../errors.js"
import type { Module, ModuleParts } from "../module-kit/model.js"
import { endsElement } from "../html/html.js"

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
  if (!endsElement(script)) return script
  const problem = "`script` contains a tag or a comment of HTML that could end its element"
  throw new InvalidConfig(`modules: ${id}: ${problem}. Write \`\\x3C\` instead of its \`<\``)
}
