// The few sentences that the page itself says. All others come from the station, in the study's language.

const WORDS = {
  en: {
    page_calling: "Connecting ...",
    page_dead: "This link has been used or is too old. Please ask the person who sent it for a new one.",
    page_elsewhere: "This session goes on in another tab or window. You can close this one.",
    page_allow: "Your browser asks whether this page may use the microphone. Choose Allow.",
    page_denied: "The browser does not let this page use the microphone. Allow it beside the address, then load the page again.",
    page_kept: "Some of what you said is still on its way. Please leave this page open.",
    page_deleted: "Everything has arrived. Nothing of it is left in this browser; you can close this page.",
    page_here: "HERE",
    page_or_button: "or the button on the screen",
  },
  de: {
    page_calling: "Verbindung wird hergestellt ...",
    page_dead: "Dieser Link wurde schon benutzt oder ist zu alt. Bitte lassen Sie sich einen neuen schicken.",
    page_elsewhere: "Diese Sitzung läuft in einem anderen Tab oder Fenster weiter. Sie können dieses schließen.",
    page_allow: "Ihr Browser fragt, ob diese Seite das Mikrofon benutzen darf. Wählen Sie „Zulassen“.",
    page_denied: "Der Browser lässt diese Seite das Mikrofon nicht benutzen. Erlauben Sie es neben der Adresse und laden Sie die Seite neu.",
    page_kept: "Ein Teil des Gesagten ist noch unterwegs. Bitte lassen Sie diese Seite offen.",
    page_deleted: "Alles ist angekommen. In diesem Browser ist nichts davon geblieben; Sie können die Seite schließen.",
    page_here: "HIER",
    page_or_button: "oder den Knopf auf dem Bildschirm",
  },
  es: {
    page_calling: "Conectando ...",
    page_dead: "Este enlace ya se usó o ha caducado. Pida uno nuevo a quien se lo envió.",
    page_elsewhere: "Esta sesión continúa en otra pestaña o ventana. Puede cerrar esta.",
    page_allow: "Su navegador pregunta si esta página puede usar el micrófono. Elija «Permitir».",
    page_denied: "El navegador no deja que esta página use el micrófono. Permítalo junto a la dirección y vuelva a cargar la página.",
    page_kept: "Una parte de lo que dijo aún está en camino. Deje esta página abierta, por favor.",
    page_deleted: "Todo ha llegado. En este navegador no queda nada; puede cerrar la página.",
    page_here: "AQUÍ",
    page_or_button: "o el botón de la pantalla",
  },
  zh: {
    page_calling: "正在连接……",
    page_dead: "此链接已被使用或已过期。请向发送链接的人索取新链接。",
    page_elsewhere: "本次会话已在另一个标签页或窗口中继续。您可以关闭此页。",
    page_allow: "浏览器会询问此页面是否可以使用麦克风，请选择“允许”。",
    page_denied: "浏览器不允许此页面使用麦克风。请在地址栏旁允许使用，然后重新加载页面。",
    page_kept: "您说的一部分内容仍在传送中，请不要关闭此页面。",
    page_deleted: "全部内容已送达，此浏览器中没有留下任何内容。您可以关闭此页面。",
    page_here: "此处",
    page_or_button: "或屏幕上的按钮",
  },
};

export const wordsIn = (language) => WORDS[language.slice(0, 2).toLowerCase()] ?? WORDS.en;

// Scripts that run from right to left: the sentences themselves say it.
export const directionOf = (text) => (/^[^\p{L}]*[\u0590-\u08ff\ufb1d-\ufefc]/u.test(text) ? "rtl" : "ltr");

// Fills the blanks that are there; other braces stay, since a study writes these texts.
export const fill = (text, blanks) =>
  Object.entries(blanks).reduce((all, [name, value]) => all.replaceAll(`{${name}}`, value), text ?? "");
