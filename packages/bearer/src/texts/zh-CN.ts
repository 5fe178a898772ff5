const texts: Readonly<Record<string, string>> = {
  title: "登录 {client}",
  asks: "{client} 想要使用您在 {app} 的帐号登录。仅当您是从该应用打开此页面时才继续。",
  as: "您已登录为 {user}。",
  continue: "继续",
  cancel: "取消",
  unknown: "无法处理此请求",
  unknownText: "打开此页面的应用未知，或者其请求无效或已过期。请返回应用重试。",
  apps: "应用",
  app: "{client}，自 {date} 起",
  end: "退出 {client}",
}

export default texts
