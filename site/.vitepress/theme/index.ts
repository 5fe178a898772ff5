import type { Theme } from "vitepress"
import DefaultTheme from "vitepress/theme"
import { h } from "vue"
import FrontPage from "./FrontPage.vue"
import PageTools from "./PageTools.vue"
import ProviderLogo from "./ProviderLogo.vue"
import { rememberTabs } from "./tabs"
import "./style.css"

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "doc-before": () => [h(ProviderLogo), h(PageTools)] }),
  enhanceApp: ({ app }) => void app.component("front-page", FrontPage),
  setup: rememberTabs,
} satisfies Theme
