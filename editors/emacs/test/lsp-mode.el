;;; lsp-mode.el --- A session in a real Emacs with lsp-mode  -*- lexical-binding: t -*-

;;; Commentary:

;; run.sh starts it.  It does what eglot.el does.

;;; Code:

(load (expand-file-name "session.el" (file-name-directory load-file-name)) nil t)
(require 'lsp-mode)
(load (expand-file-name "../kls.el" (file-name-directory load-file-name)) nil t)

(defun session-servers ()
  "The servers that run for this buffer."
  (mapcar (lambda (workspace) (lsp--client-server-id (lsp--workspace-client workspace)))
          (seq-filter (lambda (workspace) (eq (lsp--workspace-status workspace) 'initialized)) (lsp-workspaces))))

(defun session-diagnostics ()
  "What lsp-mode has for this file."
  (mapconcat (lambda (d) (format "%d: %s" (1+ (gethash "line" (gethash "start" (gethash "range" d)))) (gethash "message" d)))
             (gethash (lsp--fix-path-casing buffer-file-name) (lsp-diagnostics)) "\n"))

(defun session-lsp-mode ()
  "The session."
  (lsp-workspace-folders-add (getenv "TREE"))
  (session-open)
  (kls-maybe)
  (session-check (session-wait (lambda () (memq 'kls (session-servers)))) "attach")
  (session-check (session-wait (lambda () (string-match-p "8: .*no Deployment is named \"wbe\"" (session-diagnostics)))) "diagnostics")
  (session-show (session-diagnostics))
  (session-place "wbe")
  (delete-char 3)
  (insert "web")
  (session-check (session-wait (lambda () (not (string-match-p "wbe" (session-diagnostics))))) "and it goes when the name is mended")
  (session-place "web")
  (let* ((hover (lsp-request "textDocument/hover" (lsp--text-document-position-params)))
         (value (gethash "value" (gethash "contents" hover))))
    (session-check (and value (string-match-p "replicas: 3" value)) "hover")
    (session-show (or value "")))
  (let ((found (lsp-request "textDocument/definition" (lsp--text-document-position-params))))
    (session-check (string-match-p "base/deploy.yaml" (format "%S" found)) "definition"))
  (session-preview))

(session-play "lsp-mode" #'session-lsp-mode)
(session-end)
;;; lsp-mode.el ends here
