;;; session.el --- What the sessions in Emacs share  -*- lexical-binding: t -*-

;;; Code:

(setq package-archives nil)
(package-initialize)

(defvar session-client nil "The client of the session.")
(defvar session-failed nil)

(defun session-check (ok what)
  "Print whether WHAT is OK."
  (princ (format "%s emacs: %s: %s\n" (if ok "ok  " "FAIL") session-client what))
  (unless ok (setq session-failed t)))

(defun session-show (text)
  "Print TEXT when asked to."
  (when (equal (getenv "VERBOSE") "1") (princ (concat text "\n"))))

(defun session-wait (condition)
  "Wait until CONDITION holds: long, since other programs may keep the machine busy."
  (let ((end (+ (float-time) 60)))
    (while (and (not (funcall condition)) (< (float-time) end))
      (accept-process-output nil 0.05))
    (funcall condition)))

(defun session-place (needle)
  "Put point on NEEDLE."
  (goto-char (point-min))
  (search-forward needle)
  (goto-char (match-beginning 0)))

(defun session-open ()
  "Open the overlay."
  (find-file (expand-file-name "overlay/kustomization.yaml" (getenv "TREE")))
  (unless (derived-mode-p 'yaml-mode) (yaml-mode)))

(defun session-preview ()
  "Preview what the overlay renders."
  (kls-preview)
  (with-current-buffer "*kls preview*"
    (session-check (string-match-p "replicas: 3" (buffer-string)) "preview")))

(defun session-play (client session)
  "Play SESSION, a function, with CLIENT; Emacs ends with 0 if everything was as it should be."
  (setq session-client client)
  (condition-case problem (funcall session)
    (error (session-check nil (error-message-string problem)))))

(defun session-end ()
  "End Emacs."
  (set-buffer-modified-p nil)
  (kill-emacs (if session-failed 1 0)))

(provide 'session)
;;; session.el ends here
