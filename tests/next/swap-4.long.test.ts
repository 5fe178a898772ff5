import { upgradeFromVersion4 } from "./swap-4.js"

upgradeFromVersion4(14)
upgradeFromVersion4(15)
