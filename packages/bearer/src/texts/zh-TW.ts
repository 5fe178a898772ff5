const texts: Readonly<Record<string, string>> = {
  title: "登入 {client}",
  asks: "{client} 想要使用您在 {app} 的帳號登入。請僅在您從該應用程式開啟此頁面時繼續。",
  as: "您已登入為 {user}。",
  continue: "繼續",
  cancel: "取消",
  unknown: "無法處理此要求",
  unknownText: "開啟此頁面的應用程式未知，或其要求無效或已過期。請返回應用程式再試一次。",
  apps: "應用程式",
  app: "{client}，自 {date} 起",
  end: "登出 {client}",
}

export default texts
