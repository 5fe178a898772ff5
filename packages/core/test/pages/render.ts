import { features } from "../../src/engine/features.js"
import {
  type RenderOptions,
  loadScript as load,
  loadView,
  renderPage as render,
} from "../../src/features/pages/render.js"
import type { PageView, ProviderView } from "../../src/html/view.js"
import type { AuthContext } from "../../src/model/auth.js"
import type { RenderedPage } from "../../src/model/built-in-pages.js"
import type { AuthRequest, Page } from "../../src/model/http.js"
import { moduleViews } from "../../src/module/pages.js"

const views = new Map<string, ProviderView>()
for (const feature of features.providers) for (const type of feature.types) views.set(type, await feature.view())

const names = ["signin", "signout", "error", "forward", "verify-request", "confirm-email"] as const
const pages = new Map<string, PageView>(moduleViews)
for (const name of names) pages.set(name, await loadView(features, { name }))

function partsFor({ providers }: AuthContext, { name }: Page) {
  const view = pages.get(name)
  if (view === undefined) throw new Error(`This kit doesn't load the page ${name}`)
  const types = new Set<string>([...providers.values()].map(({ type }) => type))
  return { views: new Map([...views].filter(([type]) => types.has(type))), view }
}

/** Renders a page at once, with everything that features bring. */
export function renderPage(
  auth: AuthContext,
  request: AuthRequest,
  page: Page,
  options: Pick<RenderOptions, "script" | "language"> = {},
): RenderedPage {
  return render(auth, request, page, { ...partsFor(auth, page), ...options })
}

export function loadScript(auth: AuthContext, page: Page): Promise<string | undefined> {
  return load(auth, page, partsFor(auth, page))
}
